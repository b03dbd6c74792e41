"""Handles that a file leaves out are derived from the name."""

from catalog.categories.category_details import handle_of
from catalog.errors import HandleRequired
from kit.editing.changes import Row
from kit.shop_file.sections import RowsSection
from kit.shop_file.values import Entry


def handle_or_default(entry: Entry, *, name: str) -> str | None:
    """The object's handle, or one derived from its field `name`; None if neither is given, or it has no letters."""
    if "handle" in entry.given or name not in entry.given:
        return entry.given.get("handle")
    try:
        return handle_of(entry.given[name])
    except HandleRequired:
        return None


class TitledRows(RowsSection[Row]):
    """Rows whose natural key is their handle. A new row without one gets it from its title."""

    natural_key = "handle"

    def name_of(self, entry: Entry) -> str | None:
        return handle_or_default(entry, name="title")

    def values(self, entry: Entry, row: Row | None) -> dict[str, object]:
        values = super().values(entry, row)
        return values if row else {"handle": self.name_of(entry), **values}
