"""A delivered order of which goods were exchanged and claimed, an exchange that is open, and the verbs about all."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from catalog.models import ProductVariant
from kit.domain.actor import Actor
from orders.changes.added_lines import NewItem
from orders.exchanges import cancellation, exchanging, inbound, lifecycle, outbound
from orders.exchanges.inbound import ReturnedUnits
from orders.exchanges.written_off import ClaimedUnits
from orders.fulfillments import creation
from orders.fulfillments.requested_items import ItemQuantity
from orders.models import Order, OrderChange, OrderLineItem, Return
from orders.returns import cancellation as return_cancellation
from orders.returns import receipt
from orders.returns.receipt import ReceivedItem
from orders.states import ChangeKind, ClaimType


class Goods(NamedTuple):
    """The ids of the open exchange, of those that are confirmed, of a return, and of lines: a sent and an added one."""

    open_id: str = "ordch_none"
    exchange_id: str = "ordch_none"
    claim_id: str = "ordch_none"
    return_id: str = "return_none"
    sent_id: str = "ordli_none"
    added_id: str = "ordli_none"


def exchanged(order: Order, staff: Actor, variants: Sequence[ProductVariant], line_ids: Sequence[str]) -> Goods:
    """A unit of the first line is exchanged for one of each variant, one of the second was lost and is replaced.

    What is open exchanges the other unit of the second line likewise.
    """
    known = set(order.items.values_list("pk", flat=True))
    new = [NewItem(variant.pk, 1) for variant in reversed(variants)]
    given = {"actor": staff, "order_id": order.pk}
    exchanging.exchange(returned=[ReturnedUnits(line_ids[0], 1)], added=new, **given)
    added = OrderLineItem.objects.filter(order=order).exclude(pk__in=known).order_by("pk")[0]
    claimed = {"claimed": [ClaimedUnits(line_ids[1], 1)], "added": [NewItem(variants[1].pk, 1)]}
    exchanging.claim(claim_type=ClaimType.REPLACE, **claimed, **given)
    exchange_id, claim_id = (OrderChange.objects.get(order=order, kind=kind).pk for kind in ("exchange", "claim"))
    open_id = lifecycle.begin(kind=ChangeKind.EXCHANGE, **given)
    inbound.add(actor=staff, change_id=open_id, items=[ReturnedUnits(line_ids[1], 1)])
    outbound.add(actor=staff, change_id=open_id, items=new)
    return_id = Return.objects.get(change=exchange_id).pk
    return Goods(open_id, exchange_id, claim_id, return_id, line_ids[0], added.pk)


def _receive(staff: Actor, order_id: str, at: Goods) -> None:
    receipt.receive(actor=staff, return_id=at.return_id, items=[ReceivedItem(at.sent_id, 1)])


def _pack(staff: Actor, order_id: str, at: Goods) -> None:
    creation.create(actor=staff, order_id=order_id, items=[ItemQuantity(at.added_id, 1)])


VERBS: Mapping[str, Callable[[Actor, str, Goods], object]] = {
    "confirm an exchange": lambda staff, _, at: lifecycle.request(actor=staff, change_id=at.open_id),
    "discard an exchange": lambda staff, _, at: lifecycle.cancel_request(actor=staff, change_id=at.open_id),
    "cancel an exchange": lambda staff, _, at: cancellation.cancel(actor=staff, change_id=at.exchange_id),
    "cancel a claim": lambda staff, _, at: cancellation.cancel(actor=staff, change_id=at.claim_id),
    "receive exchanged goods": _receive,
    "cancel the return of an exchange": lambda staff, _, at: return_cancellation.cancel(
        actor=staff, return_id=at.return_id
    ),
    "pack what an exchange sends": _pack,
}
"""Each gets who acts, the order's id and the ids above."""
