"""The tree of return reasons."""

from collections.abc import Mapping

from kit.database.locking import lock_rows
from orders.models import ReturnReason


def lock_tree() -> None:
    """Lock all reasons until the transaction ends: two moves that do not see each other could make a cycle."""
    lock_rows(ReturnReason.objects.not_deleted())


def is_own_ancestor(reason_id: str, parents: Mapping[str, str | None]) -> bool:
    """Whether the way up from the reason comes back to it. parents: the parent's id by the id of each reason."""
    above, passed = parents.get(reason_id), set[str]()
    while above is not None and above not in passed:
        if above == reason_id:
            return True
        passed.add(above)
        above = parents.get(above)
    return False
