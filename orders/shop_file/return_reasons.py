"""Return reasons in the shop file."""

from collections.abc import Sequence
from typing import Any

from kit.editing.changes import overwrite
from kit.shop_file.row_fields import row_fields
from kit.shop_file.sections import Placed, RowsSection
from kit.shop_file.values import Entry, Text
from orders.models import ReturnReason
from orders.returns.return_reasons.editing import PARENT, VERBS
from orders.returns.return_reasons.tree import is_own_ancestor, lock_tree


class ReturnReasons(RowsSection[ReturnReason]):
    """Every reason that is not deleted. `parent`: the value or id of another reason, before or after this one."""

    key = "return_reasons"
    natural_key = "value"
    verbs = VERBS
    fields = row_fields(VERBS, parent=Text(nullable=True, attribute=PARENT))

    def values(self, entry: Entry, row: ReturnReason | None) -> dict[str, Any]:
        """Without the parent, which may be a new row too."""
        values = super().values(entry, row)
        values.pop("parent_return_reason_id", None)
        return values

    def load_parts(self, placed: Sequence[Placed[ReturnReason]]) -> None:
        """Write the parents, now that all reasons have rows."""
        lock_tree()
        stored = list(self.matchable().values_list("pk", "value", "parent_return_reason_id"))
        ids = {word: pk for pk, value, _ in stored for word in (value, pk)}
        parents: dict[str, str | None] = {pk: parent for pk, _, parent in stored}
        moved: list[Placed[ReturnReason]] = []
        for one in placed:
            word = one.entry.given.get("parent")
            if "parent" not in one.entry.given:
                continue
            if word is not None and word not in ids:
                if not self.problems.is_invalid(self.key, word):
                    self.refuse(one.entry, f"there is no return reason '{word}'", field="parent")
            elif (parent := ids[word] if word else None) != parents[one.row.pk]:
                parents[one.row.pk] = parent
                moved.append(one)
        for one in moved:
            if is_own_ancestor(one.row.pk, parents):
                self.refuse(one.entry, "is below this reason", field="parent")
            above = parents[one.row.pk]
            one.row.parent_return_reason_id = above  # type: ignore[assignment]  # the stubs forget that it may be null
            one.is_changed = True
        overwrite([one.row for one in moved], ["parent_return_reason_id"])
