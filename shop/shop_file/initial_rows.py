"""Rows that `migrate` creates. In an unused shop they take the ids that a file gives them."""

from collections.abc import Mapping, Sequence

from kit.editing.changes import Row
from kit.shop_file.problems import Problems
from kit.shop_file.sections import Placed, RowsSection
from kit.values.timestamps import now
from shop.stores.new_shop import unused_channel


class InitialRows(RowsSection[Row]):
    """A section with such rows. A dump that is loaded into an unused shop is the same there, ids included."""

    def __init__(self, problems: Problems) -> None:
        super().__init__(problems)
        self.unused_channel = unused_channel()
        """Read before any section of the file is loaded."""

    def load_parts(self, placed: Sequence[Placed[Row]]) -> None:
        for one in placed:
            if self.unused_channel and not one.is_new:
                one.is_changed |= self._adopt_identity(one.row, one.entry.given)
        super().load_parts(placed)

    def id_changed(self, row: Row, former_id: str) -> None:
        """Replace the former id in the rows that refer to it."""

    def _adopt_identity(self, row: Row, given: Mapping[str, object]) -> bool:
        """Give the row the file's id and time of creation. Returns whether either differs."""
        identity = {
            name: given[name]
            for name in ("id", "created_at")
            if given.get(name, getattr(row, name)) != getattr(row, name)
        }
        former_id = row.pk
        if identity:
            type(row)._default_manager.filter(pk=former_id).update(**identity, updated_at=now())
            for name, value in identity.items():
                setattr(row, name, value)
        if row.pk != former_id:
            self.id_changed(row, former_id)
        return bool(identity)
