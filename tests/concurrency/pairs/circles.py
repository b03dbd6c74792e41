"""Which verbs meet which: those that lock the same rows, as far as no other pair stands for theirs."""

from collections.abc import Set as AbstractSet

from tests.concurrency.pairs import drafts, goods
from tests.concurrency.pairs.verbs import ERASING

_ORDER_ALONE = {
    *("change details", "complete", "archive", "add a note", "add labels"),
    *("request a return", "cancel the return", "request the transfer", "accept the transfer"),
}
"""Verbs that lock the order, and then write only rows that belong to it."""
_PREPARING = {"choose the return's shipping", "request the prepared return"}
_ENDING_TRANSFERS = {"decline the transfer", "cancel the transfer"}
"""More of these: they meet those that write the same rows."""

_PARCELS = {"deliver", "event of the carrier", "refuse the booking", "receive the counted units"}
_LOCAL = {"cancel locally", "capture locally", "refund locally", "refund the payment locally"}
"""Verbs that lock what another one locks as well: they meet each other, and those that stand for the rest."""
_BESIDE_LOCAL = {"pack", "ship", "cancel the fulfillment", "change details", "change stock"}
_BESIDE_PARCELS = _BESIDE_LOCAL | {"cancel", "receive the return", "refund", "capture", "refund the payment"}

_CHANGING = {
    *("confirm an edit", "cancel an edit", "mark as paid", "delete the unpaid collection", "ask for less"),
    *("pay by credit", "pay by a link", "pay in the session of a link"),
}
_BESIDE_CHANGES = _BESIDE_PARCELS | {
    *("request a return", "cancel the return", "answer", "event of a capture", "event of a refund", "complete"),
    *("adjust the account", "refund as store credit"),
}
"""Changes of orders and what they owe: they meet each other, and what moves the same goods and money."""

_GOODS, _DRAFTS = {*goods.VERBS}, {*drafts.VERBS}
_BESIDE_GOODS = {
    *("change details", "complete", "refund", "refund the payment", "refund as store credit", "answer"),
    *("event of a refund", "change stock", "request the transfer", "pay by credit"),
}
"""What moves the same goods and money, or ends the order. The rest locks the order first, as these do."""
_BESIDE_DRAFTS = {"cancel", "pack", "cancel the fulfillment", "change stock", "confirm an edit", "adjust the account"}
"""What locks the same stock; all but the last two lock an order before."""

_OF_CLOSED = {
    *("change details", "request the transfer", "accept the transfer", "refund all", "refund as store credit"),
    *("refund the payment", "event of a refund", "complete the cart again", "adjust the account", "redeem a card"),
    *("redeem the bought card", "cancel the bought card", ERASING),
}
"""What can be done to the order of a buyer who can be erased, or to their credit."""

_CIRCLES: list[tuple[AbstractSet[str], AbstractSet[str]]] = [
    ({ERASING}, _OF_CLOSED),
    (_GOODS, _BESIDE_GOODS),
    (_DRAFTS, _BESIDE_DRAFTS),
    (_CHANGING, _BESIDE_CHANGES),
    (_PREPARING, {"request a return", "cancel the return", "change details"}),
    (_ENDING_TRANSFERS, {"request the transfer", "accept the transfer", "change details"}),
    (_ORDER_ALONE - {"change details"}, _ORDER_ALONE),
    (_LOCAL, _BESIDE_LOCAL),
    (_PARCELS, _BESIDE_PARCELS),
]
"""Verbs, and what they meet besides each other. The first circle that has one of a pair's verbs says."""


def meet(one: str, other: str) -> bool:
    """Whether a pair is run. Of those that lock the order alone, `change details` meets the other verbs for all."""
    pair = {one, other}
    return next((pair <= own | beside for own, beside in _CIRCLES if pair & own), True)
