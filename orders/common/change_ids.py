"""The ids of exchanges and claims, and of what they bring back: each has the random part of their change's.

A program that has one of them knows what it is for, and no table has to keep it.
"""

from orders.states import ChangeKind

_PREFIXES = {ChangeKind.EXCHANGE: "oexc", ChangeKind.CLAIM: "claim"}


def known_as(kind: str | None, change_id: str | None, *, wanted: ChangeKind) -> str | None:
    """The id of the exchange or claim that a change is; None without a change, and for one of another kind."""
    return with_prefix(change_id, _PREFIXES[wanted]) if change_id and kind == wanted else None


def change_id_of(id: str, kind: ChangeKind) -> str:
    """The id of the change that the exchange or claim is. An id of anything else stays, and is no change's."""
    return with_prefix(id, "ordch") if id.startswith(f"{_PREFIXES[kind]}_") else f"no {kind}: {id}"


def return_id_of(change_id: str) -> str:
    """The id of the return of an exchange or claim, also of one to come."""
    return with_prefix(change_id, "return")


def with_prefix(id: str, prefix: str) -> str:
    """The same random part behind another prefix."""
    return f"{prefix}_{id.rpartition('_')[2]}"
