"""The store: its name and its defaults."""

from collections.abc import Sequence
from typing import Any

from kit.editing.rows import RowEdits
from kit.editing.verbs import RowVerbs
from kit.errors import InvalidData
from shop.models import Region, Store


def _require_default_region(edits: RowEdits[Store], states: Sequence[Any]) -> None:
    """A shop with regions must have a default one: without it, no price would have a currency."""
    for index, state in enumerate(states):
        if state.default_region_id is None and Region.objects.not_deleted().exists():
            edits.refuse(index, "default_region", InvalidData("Field 'default_region' is required"))


VERBS = RowVerbs(
    Store, ("name", "default_sales_channel_id", "default_region_id", "metadata"), check=_require_default_region
)
