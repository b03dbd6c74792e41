"""The ids of exchanges and claims: those of their changes, under prefixes of their own."""

from orders.states import ChangeKind

_PREFIXES: dict[str, str] = {ChangeKind.EXCHANGE: "oexc_", ChangeKind.CLAIM: "claim_"}


def exchange_id(change_id: str) -> str:
    """The id of the exchange that the change is."""
    return _PREFIXES[ChangeKind.EXCHANGE] + change_id.removeprefix("ordch_")


def claim_id(change_id: str) -> str:
    """The id of the claim that the change is."""
    return _PREFIXES[ChangeKind.CLAIM] + change_id.removeprefix("ordch_")


def exposed_ids(change_id: str, kind: str) -> dict[str, str]:
    """`exchange_id` or `claim_id`, of whichever it is; nothing of other changes."""
    prefix = _PREFIXES.get(kind)
    return {f"{kind}_id": prefix + change_id.removeprefix("ordch_")} if prefix else {}


def change_id_of(exposed_id: str, kind: str) -> str:
    """The id of the change of an exchange or a claim, whose kind is given; ids of other prefixes are no change's."""
    prefix = _PREFIXES[kind]
    return f"ordch_{exposed_id.removeprefix(prefix)}" if exposed_id.startswith(prefix) else exposed_id
