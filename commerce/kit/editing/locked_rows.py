"""The rows of a batch, locked."""

from collections.abc import Collection

from commerce.kit.core.errors import NotFound
from commerce.kit.core.locking import lock_rows
from commerce.kit.core.missing_row import missing
from commerce.kit.core.text import is_storable
from commerce.kit.editing.states import Row


def locked(model: type[Row], ids: Collection[str], *, deleted: bool = False) -> dict[str, Row]:
    """The rows with these ids that are not deleted, locked in one order; with `deleted`, also those that are.

    Raises NotFound if one is missing.
    """
    rows = model._default_manager.filter(pk__in=[key for key in ids if is_storable(key)])
    if not deleted and hasattr(model, "deleted_at"):
        rows = rows.filter(deleted_at=None)
    by_id = {str(row.pk): row for row in (lock_rows(rows) if ids else ())}
    unknown = sorted({*ids} - by_id.keys())
    if unknown:
        raise NotFound(missing(str(model._meta.verbose_name).capitalize(), *unknown))
    return by_id
