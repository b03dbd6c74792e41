"""Rows that belong to one other, their parent: variants of a product, prices of a price list."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kit.domain.actor import Actor
from kit.editing.batches import naming
from kit.editing.locked_rows import require_rows
from kit.editing.verbs import RowVerbs
from kit.values.text import is_storable


@dataclass(frozen=True, slots=True)
class NestedRows:
    """Rows that `verbs` write. column: the foreign key to their parent, such as `product_id`."""

    verbs: RowVerbs[Any]
    column: str

    @property
    def parent(self) -> Any:
        """The model of parents."""
        return self.verbs.model._meta.get_field(self.column).related_model

    def require_parent(self, id: str) -> None:
        """Raises NotFound, also for a deleted one."""
        require_rows(self.parent._default_manager.all(), [id])

    def require(self, parent_id: str, ids: Collection[str]) -> None:
        """Raises NotFound unless all belong to the parent."""
        rows = self.verbs.model._default_manager
        require_rows(rows.filter(**{self.column: parent_id}) if is_storable(parent_id) else rows.none(), ids)

    def create(self, parent_id: str, *, actor: Actor, **values: object) -> Any:
        """A new row. Raises NotFound for the parent, and what the verb raises."""
        self.require_parent(parent_id)
        return self.verbs.create(actor=actor, **{self.column: parent_id}, **values)

    def batch(
        self,
        parent_id: str,
        *,
        create: Sequence[Mapping[str, Any]] = (),
        update: Sequence[Mapping[str, Any]] = (),
        delete: Sequence[str] = (),
    ) -> dict[str, Any]:
        """What write_batch takes. Raises NotFound for the parent, InvalidData for rows of others."""
        self.require_parent(parent_id)
        for field, ids in (("update", [values["id"] for values in update]), ("delete", delete)):
            with naming(field):
                self.require(parent_id, ids)
        new = [{**values, self.column: parent_id} for values in create]
        return {"create": new, "update": update, "delete": delete}
