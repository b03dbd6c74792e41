"""The verbs of orders and payments, each with the states of an order in which it does its work."""

from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import partial
from typing import NamedTuple

import orjson

from catalog.stock.stock_changes import StockChange, change_stock
from fulfillment.providers.base import Declined
from fulfillment.providers.tracked import signed
from giftcards.cards import cancellation as card_cancellation
from giftcards.cards import redemption
from giftcards.ledger import adjustment
from kit.domain.actor import SYSTEM, Actor
from kit.values.money import major
from orders.access.transfers import answering, requesting
from orders.access.transfers import cancellation as transfer_cancellation
from orders.erasure import people
from orders.erasure.erasing import erase
from orders.fulfillments import cancellation as fulfillment_cancellation
from orders.fulfillments import carrier_events, creation, delivery, labels, sending, shipping
from orders.fulfillments.labels import NewLabel
from orders.fulfillments.requested_items import ItemQuantity
from orders.managing import archiving, cancellation, completion, details, notes
from orders.models import Order
from orders.refunds import creation as refunds
from orders.refunds.sources import refundable, sources_of
from orders.returns import arrivals, preparation, receipt, shipping_choice
from orders.returns import cancellation as return_cancellation
from orders.returns import creation as returns
from orders.returns.creation import NewReturnItem
from orders.returns.receipt import ReceivedItem
from orders.returns.shipping import ReturnShipping
from payments.lifecycle import cancellation as collection_cancellation
from payments.movements import capturing, refunding
from payments.providers.base import Action
from payments.requests import intents
from payments.requests.events import receive_event
from payments.sessions import authorization
from tests.concurrency.pairs import changes, drafts, goods
from tests.concurrency.pairs.scenes import CANCELED, CLOSED, DELIVERED, EXCHANGED, LOCAL, PACKED, PAID, Scene
from tests.factories.carts import shopper
from tests.factories.checkout import ADDRESS
from tests.factories.giftcards import redeemer
from tests.orders.completing import completed
from tests.orders.fulfillments.carrier import CARRIER
from tests.payments.providers import FAKE, SIGNED, event

FIVE = Decimal(5)
ERASING = "erase the buyer"


class Verb(NamedTuple):
    """states: where it does its work. outcome: what becomes of it there, alone.

    transaction: the number of the one that locks, 0 for none. Later ones apply a provider's answer, as `answer` does.
    """

    run: Callable[[Scene], object]
    states: tuple[str, ...] = (PACKED, PAID, DELIVERED)
    outcome: str = "done"
    transaction: int = 1


def _change_details(at: Scene) -> None:
    address = {**ADDRESS, "address_1": "2 Oak"}
    details.change(actor=at.shop.staff, order_id=at.order.pk, email="b@example.com", shipping_address=address)


def _pack(at: Scene) -> None:
    creation.create(actor=at.shop.staff, order_id=at.order.pk, items=[ItemQuantity(at.line_ids[1], 1)])


def _label(at: Scene) -> None:
    labels.add_labels(actor=at.shop.staff, fulfillment_id=at.fulfillment_id, labels=[NewLabel("T1")])


def _request_return(at: Scene) -> None:
    returns.request(actor=at.shop.staff, order_id=at.order.pk, items=[NewReturnItem(at.line_ids[1], 1)])


def _receive_return(at: Scene) -> None:
    items = [ReceivedItem(at.line_ids[1], 1)]
    place = at.shop.levels[0].location_id
    receipt.receive(actor=at.shop.staff, return_id=at.return_id, items=items, location_id=place)


def _refundable(order: Order) -> Decimal:
    return major(refundable(order.pk, sources_of(order.pk)))


def _refund(at: Scene, *, amount: Decimal = FIVE, to_store_credit: bool = False) -> None:
    given = {"order_id": at.order.pk, "refund_reason_id": at.shop.reason_id}
    refunds.create(actor=at.shop.staff, amount=amount, to_store_credit=to_store_credit, **given)


def _event(at: Scene, action: Action, status: str, **amounts: int) -> None:
    body = event(f"evt_{action}", at.payment.session_id, action, status=status, **amounts)
    receive_event(provider_id=FAKE, body=body, headers=SIGNED)


def _carrier_event(at: Scene) -> None:
    body = orjson.dumps(
        {"id": "evt_1", "fulfillment_id": at.fulfillment_id, "step": "shipped", "tracking_number": "T2"}
    )
    carrier_events.receive_event(provider_id=CARRIER, body=body, headers={"x-signature": signed(body)})


def _refuse_booking(at: Scene) -> None:
    at.shop.carrier.says(Declined("Full"))
    sending.send_request(at.booking_id)


def _choose_return_shipping(at: Scene) -> None:
    way = ReturnShipping(at.shop.way_back)
    shipping_choice.choose(actor=at.shop.staff, return_id=at.prepared_id, shipping=way)


def _request_transfer(at: Scene) -> None:
    actor = shopper(customer_id=at.shop.strangers[1].pk)
    requesting.request_transfer(actor=actor, order_id=at.order.pk)


def _accept_transfer(at: Scene) -> None:
    actor = shopper(customer_id=at.shop.strangers[0].pk)
    answering.accept(actor=actor, order_id=at.order.pk, token=at.token)


def _cancel_transfer(at: Scene) -> None:
    actor = shopper(customer_id=at.shop.strangers[0].pk)
    transfer_cancellation.cancel(actor=actor, order_id=at.order.pk)


def _change_stock(at: Scene) -> None:
    changes = [StockChange(row.inventory_item_id, row.location_id, adjust_by=1) for row in at.shop.levels]
    change_stock(actor=at.shop.staff, changes=changes)


def _adjust_credit(at: Scene) -> None:
    adjustment.debit_account(actor=at.shop.staff, account_id=at.account.pk, amount=FIVE, note="Adjusted")


def _of_goods(run: Callable[[Actor, str, goods.Goods], object], at: Scene) -> None:
    run(at.shop.staff, at.order.pk, at.goods)


def _of_drafts(run: Callable[[Actor, drafts.Drafts], object], at: Scene) -> None:
    run(at.shop.staff, at.drafts)


VERBS: Mapping[str, Verb] = {
    "cancel": Verb(lambda at: cancellation.cancel(actor=at.shop.staff, order_id=at.order.pk), (PACKED, PAID)),
    "complete": Verb(lambda at: completion.complete(actor=at.shop.staff, order_id=at.order.pk, note="Enough")),
    "archive": Verb(lambda at: archiving.archive(actor=at.shop.staff, order_id=at.order.pk), (CANCELED,)),
    "change details": Verb(_change_details),
    "add a note": Verb(lambda at: notes.add_note(actor=at.shop.staff, order_id=at.order.pk, text="Gift")),
    "pack": Verb(_pack, (PACKED, PAID)),
    "ship": Verb(lambda at: shipping.ship(actor=at.shop.staff, fulfillment_id=at.fulfillment_id)),
    "deliver": Verb(lambda at: delivery.deliver(actor=at.shop.staff, fulfillment_id=at.fulfillment_id)),
    "cancel the fulfillment": Verb(
        lambda at: fulfillment_cancellation.cancel(actor=at.shop.staff, fulfillment_id=at.fulfillment_id)
    ),
    "add labels": Verb(_label),
    "request a return": Verb(_request_return, (DELIVERED,)),
    "receive the return": Verb(_receive_return, (DELIVERED,)),
    "cancel the return": Verb(
        lambda at: return_cancellation.cancel(actor=at.shop.staff, return_id=at.return_id), (DELIVERED,)
    ),
    "choose the return's shipping": Verb(_choose_return_shipping, (DELIVERED,)),
    "request the prepared return": Verb(
        lambda at: preparation.confirm(actor=at.shop.staff, return_id=at.prepared_id), (DELIVERED,)
    ),
    "receive the counted units": Verb(
        lambda at: arrivals.confirm(actor=at.shop.staff, return_id=at.return_id), (DELIVERED,)
    ),
    "event of the carrier": Verb(_carrier_event),
    "refuse the booking": Verb(_refuse_booking, transaction=2),
    "refund": Verb(_refund),
    "refund all": Verb(lambda at: _refund(at, amount=_refundable(at.order)), (PAID, DELIVERED)),
    "refund as store credit": Verb(lambda at: _refund(at, to_store_credit=True)),
    "capture": Verb(lambda at: capturing.capture(actor=SYSTEM, payment_id=at.payment.pk, amount=FIVE), (PACKED,)),
    "refund the payment": Verb(lambda at: refunding.refund(actor=SYSTEM, payment_id=at.payment.pk, amount=FIVE)),
    "authorize": Verb(
        lambda at: authorization.authorize(actor=SYSTEM, session_id=at.payment.session_id), outcome="NotAllowed"
    ),
    "cancel the collection": Verb(
        lambda at: collection_cancellation.cancel(actor=SYSTEM, collection_id=at.payment.collection_id),
        outcome="CollectionOfOrder",
    ),
    "answer": Verb(lambda at: intents.carry_out(at.intent_id), transaction=2),
    "event of a capture": Verb(lambda at: _event(at, Action.CAPTURED, "captured", captured=148), (PACKED, CANCELED)),
    "event of a refund": Verb(lambda at: _event(at, Action.REFUNDED, "captured", captured=148, refunded=10)),
    "request the transfer": Verb(_request_transfer),
    "accept the transfer": Verb(_accept_transfer),
    "complete the cart again": Verb(lambda at: completed(at.cart), transaction=0),
    "decline the transfer": Verb(
        lambda at: answering.decline(actor=shopper(), order_id=at.order.pk, token=at.token),
    ),
    "cancel the transfer": Verb(_cancel_transfer),
    "adjust the account": Verb(_adjust_credit),
    "redeem a card": Verb(lambda at: redemption.redeem(actor=redeemer(at.buyer), id_or_code=at.card.pk)),
    "redeem the bought card": Verb(
        lambda at: redemption.redeem(actor=redeemer(at.buyer), id_or_code=at.bought_card.code), (PAID, DELIVERED)
    ),
    "cancel the bought card": Verb(
        lambda at: card_cancellation.cancel(actor=at.shop.staff, card_id=at.bought_card.pk), (PAID, DELIVERED)
    ),
    "change stock": Verb(_change_stock),
    "cancel locally": Verb(lambda at: cancellation.cancel(actor=at.shop.staff, order_id=at.order.pk), (LOCAL,)),
    "capture locally": Verb(
        lambda at: capturing.capture(actor=SYSTEM, payment_id=at.payment.pk, amount=FIVE), (LOCAL,)
    ),
    "refund locally": Verb(_refund, (LOCAL,)),
    "refund the payment locally": Verb(
        lambda at: refunding.refund(actor=SYSTEM, payment_id=at.payment.pk, amount=FIVE), (LOCAL,)
    ),
    "confirm an edit": Verb(lambda at: changes.confirm(at.shop.staff, at.order.pk)),
    "cancel an edit": Verb(lambda at: changes.cancel(at.shop.staff, at.order.pk)),
    "mark as paid": Verb(lambda at: changes.mark_as_paid(at.shop.staff, at.order.pk, at.owed)),
    "delete the unpaid collection": Verb(lambda at: changes.delete_collection(at.shop.staff, at.owed)),
    "ask for less": Verb(lambda at: changes.ask_for_less(at.shop.staff, at.order.pk)),
    "pay by credit": Verb(lambda at: changes.pay_by_credit(at.shop.staff, at.order.pk)),
    "pay by a link": Verb(lambda at: changes.pay_by_link(at.owed)),
    "pay in the session of a link": Verb(lambda at: changes.authorize(at.owed)),
    **{name: Verb(partial(_of_goods, run), (EXCHANGED,)) for name, run in goods.VERBS.items()},
    **{name: Verb(partial(_of_drafts, run), (PAID,)) for name, run in drafts.VERBS.items()},
    ERASING: Verb(lambda at: erase(actor=SYSTEM, person=people.customer(at.buyer.pk)), (CLOSED,)),
}

WRITING_PEOPLE = {ERASING, *drafts.VERBS}
"""Verbs that write rows of customers or carts."""
