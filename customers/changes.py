"""Writing only the changed fields of a row."""

from collections.abc import Mapping

from kit.domain.base_model import BaseModel
from kit.values.metadata import same


def save_changes(row: BaseModel, values: Mapping[str, object]) -> None:
    """Set these values by attribute, and write those that differ, with updated_at."""
    differing = [name for name, value in values.items() if not same(getattr(row, name), value)]
    for name in differing:
        setattr(row, name, values[name])
    if differing:
        row.save(update_fields=[*differing, "updated_at"])
