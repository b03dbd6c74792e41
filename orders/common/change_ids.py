"""The ids of exchanges and claims, and of what they bring back: each has the random part of their change's.

A program that has one of them knows what it is for, and no table has to keep it.
"""

from orders.states import ChangeKind

_PREFIXES: dict[str, str] = {ChangeKind.EXCHANGE: "oexc", ChangeKind.CLAIM: "claim"}


def known_as(kind: str | None, change_id: str | None, *, wanted: ChangeKind) -> str | None:
    """The id of the exchange or claim that a change is; None without a change, and for one of another kind."""
    return with_prefix(change_id, _PREFIXES[wanted]) if change_id and kind == wanted else None


def exposed_ids(change_id: str, kind: str) -> dict[str, str]:
    """`exchange_id` or `claim_id`, of whichever it is; nothing of other changes."""
    return {f"{kind}_id": with_prefix(change_id, _PREFIXES[kind])} if kind in _PREFIXES else {}


def change_id_of(id: str, kind: ChangeKind) -> str:
    """The id of the change that the exchange or claim is; other ids are no change's. Ids of edits stay."""
    prefix = _PREFIXES.get(kind, "ordch")
    return with_prefix(id, "ordch") if id.startswith(f"{prefix}_") else f"no {kind}: {id}"


def return_id_of(change_id: str) -> str:
    """The id of the return of an exchange or claim, also of one to come."""
    return with_prefix(change_id, "return")


def with_prefix(id: str, prefix: str) -> str:
    """The same random part behind another prefix."""
    return f"{prefix}_{id.rpartition('_')[2]}"
