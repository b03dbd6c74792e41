"""Handles that a file leaves out: made of the name."""

from catalog.category_details import handle_of
from catalog.errors import HandleNeeded
from commerce.kit.shop_file.sections import RowsSection
from commerce.kit.shop_file.values import Entry
from commerce.kit.shop_file.writing import Row


def given_or_made(entry: Entry, *, name: str) -> str | None:
    """The object's handle, or one made of its field `name`; None where neither is there, or has no letters."""
    if "handle" in entry.given or name not in entry.given:
        return entry.given.get("handle")
    try:
        return handle_of(entry.given[name])
    except HandleNeeded:
        return None


class TitledRows(RowsSection[Row]):
    """Rows known by their handle, which is made of the title of a new one that gives none."""

    natural_key = "handle"

    def name_of(self, entry: Entry) -> str | None:
        return given_or_made(entry, name="title")

    def values(self, entry: Entry, row: Row | None) -> dict[str, object]:
        values = super().values(entry, row)
        return values if row else {"handle": self.name_of(entry), **values}
