"""The verbs of exchanges and claims: what they tell, whom they ask for permission, and what they refuse."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from django.core import mail
from django.db import connection
from django.test.utils import CaptureQueriesContext

from catalog.models import ProductVariant
from giftcards.verification.verification import discrepancies
from kit.domain.actor import Actor
from kit.editing.states import VersionOutdated
from kit.errors import DomainError, Forbidden, InvalidData
from kit.messages.mails.sending import send_due
from kit.messages.outbox.models import Event
from orders.changes import confirmation, items
from orders.changes import lifecycle as edits
from orders.changes.added_lines import NewItem
from orders.changes.errors import ActionNotFound, ChangeEnded, ChangeNotFound, ChangeOpen, NoOpenChange, NothingToAdd
from orders.changes.shipping import NewMethod
from orders.common.change_ids import change_id_of, exposed_ids
from orders.exchanges import cancellation, exchanging, inbound, lifecycle, outbound, shipping, written_off
from orders.exchanges.errors import ClaimTypeRequired, NotConfirmed, OnlyClaims, RefundsOnly
from orders.exchanges.inbound import ReturnedUnits
from orders.exchanges.written_off import ClaimedUnits
from orders.fulfillments.errors import DuplicateItem, ItemsNotInOrder, QuantityTooSmall
from orders.models import OrderChange, OrderChangeAction, OrderShippingMethod, Return
from orders.returns.errors import GiftCardLine, OptionNotForReturn, TooManyToReturn, UnknownReturnReason
from orders.states import ChangeKind, ClaimReason, ClaimType
from shop.models import StockLocation
from tests.factories.fulfillment import option
from tests.factories.inventory import StockLocationFactory, stock
from tests.factories.orders import return_reason
from tests.orders.changes.shop import goods, line, order_a, outcome, reserved
from tests.orders.exchanges.shop import action_of, back, begun, delivered_a, event, exchanged, ready
from tests.orders.fulfillments.shop import STAFF, lines
from tests.orders.returns.shop import delivered

pytestmark = pytest.mark.django_db
RETURNS = [("is_return", "eq", "true")]


def test_ids_are_those_of_the_change() -> None:
    assert exposed_ids("ordch_1", ChangeKind.EXCHANGE) == {"exchange_id": "oexc_1"}
    assert exposed_ids("ordch_1", ChangeKind.CLAIM) == {"claim_id": "claim_1"}
    assert exposed_ids("ordch_1", ChangeKind.EDIT) == {}
    assert change_id_of("oexc_1", ChangeKind.EXCHANGE) == change_id_of("claim_1", ChangeKind.CLAIM) == "ordch_1"
    assert change_id_of("oexc_1", ChangeKind.CLAIM) != "ordch_1"


def test_exchanges_and_claims_are_counted_apart() -> None:
    order = delivered_a()
    for kind, claim_type in ((ChangeKind.EXCHANGE, None), (ChangeKind.CLAIM, ClaimType.REFUND)) * 2:
        lifecycle.cancel_request(actor=STAFF, change_id=begun(order, kind, claim_type))
    numbers = OrderChange.objects.order_by("created_at").values_list("kind", "display_id", "status")
    assert list(numbers) == [(kind, number, "canceled") for number in (1, 2) for kind in ("exchange", "claim")]
    assert not Event.objects.filter(name__startswith="order-edit").exists()


def test_the_events_have_ids_and_the_email_says_what_moves() -> None:
    order = delivered_a()
    change = exchanged(order, goods("blue", 15))
    own = {"id": order.pk, "order_id": order.pk, "change_id": change.pk, **exposed_ids(change.pk, change.kind)}
    assert event("order.exchange_created") == own
    send_due()
    body = mail.outbox[-1].body
    assert "Added:\n\n  1 x blue" in body
    assert "To be sent back:\n\n  1 x mug" in body
    assert "It cost $60.00 before, and costs $66.00 now." in body
    assert "$6.00 of it is still to be paid." in body
    cancellation.cancel(actor=STAFF, change_id=change.pk)
    assert event("order.updated") == own
    exchanging.claim(
        actor=STAFF, order_id=order.pk, claim_type=ClaimType.REFUND, no_notification=True,
        claimed=[ClaimedUnits(line(order, "tee").pk, 1, ClaimReason.MISSING_ITEM)],
    )  # fmt: skip
    claim = OrderChange.objects.latest("created_at")
    assert event("order.claim_created")["claim_id"] == claim.pk.replace("ordch_", "claim_")
    sent = len(mail.outbox)
    send_due()
    assert len(mail.outbox) == sent


def test_one_step_does_what_its_preview_shows_and_leaves_nothing_before() -> None:
    order, blue = delivered_a(), goods("blue", 15)
    by_post = option(3, rules=RETURNS)
    given: dict[str, Any] = {
        "actor": STAFF, "order_id": order.pk, "returned": back(order), "added": [NewItem(blue.pk, 1)],
        "inbound_shipping": NewMethod(by_post.pk), "version": order.version, "description": "By phone",
    }  # fmt: skip
    with pytest.raises(VersionOutdated):
        exchanging.exchange(**{**given, "version": 1})
    order.refresh_from_db()
    given["version"] = order.version
    shown, version = exchanging.preview(**given), order.version
    assert (outcome(order)[:2], order.version, OrderChange.objects.count()) == (("60.00", "0.00"), version, 0)
    done = exchanging.exchange(**given)
    assert (done.pending_difference, done.totals) == (shown.pending_difference, shown.totals)
    assert outcome(order)[:5] == ("81.60", "9.60", "partially_captured", "partially_delivered", version + 1)
    change = OrderChange.objects.get()
    assert (change.description, change.total_before, change.total_after) == ("By phone", 60, Decimal("69.60"))
    returned = change.returns.get()
    method = OrderShippingMethod.objects.get(of_return=returned)
    assert (returned.status, method.shipping_option_id, method.order_id) == ("requested", by_post.pk, order.pk)


def test_staff_need_both_permissions_and_their_own_for_prices() -> None:
    order, blue = delivered_a(), goods("blue", 15)
    for missing in ("orders.add_orderchange", "orders.add_return"):
        clerk = Actor("user", "user_bob", permitted=missing.__ne__)
        with pytest.raises(Forbidden):
            lifecycle.begin(actor=clerk, order_id=order.pk, kind=ChangeKind.EXCHANGE)
    change_id = ready(order, blue)
    clerk = Actor("user", "user_bob", permitted=lambda asked: asked != "orders.set_price")
    action = action_of(change_id, "item_add")
    with pytest.raises(Forbidden):
        outbound.change(actor=clerk, change_id=change_id, action_id=action.pk, unit_price=Decimal(1))
    with pytest.raises(Forbidden):
        outbound.add(actor=clerk, change_id=change_id, items=[NewItem(blue.pk, 1, unit_price=Decimal(1))])
    outbound.change(actor=clerk, change_id=change_id, action_id=action.pk, quantity=2)
    assert lifecycle.request(actor=clerk, change_id=change_id).pending_difference == 24_0000


def test_actions_are_changed_replaced_and_removed() -> None:
    order, blue = delivered_a(), goods("blue", 15)
    reason, place = return_reason(), StockLocation.objects.earliest("created_at")
    change_id = ready(order, blue)
    to: dict[str, Any] = {"actor": STAFF, "change_id": change_id}
    inbound.add(**to, items=back(order, units=2, reason_id=reason.pk, metadata={"a": 1}), location_id=place.pk)
    returned = action_of(change_id, "return_item")
    assert (returned.quantity, returned.reason_id) == (2, reason.pk)
    inbound.change(**to, action_id=returned.pk, quantity=1, internal_note="Torn", metadata={"b": 2}, reason_id=None)
    returned.refresh_from_db()
    assert (returned.quantity, returned.internal_note, returned.metadata) == (1, "Torn", {"a": 1, "b": 2})
    first, second = option(3, rules=RETURNS), option(4, rules=RETURNS)
    for way in (first, second):
        shipping.add(**to, method=NewMethod(way.pk), is_inbound=True)
    way_back = action_of(change_id, "shipping_add")
    assert (way_back.shipping_option_id, way_back.is_inbound) == (second.pk, True)
    with pytest.raises(ActionNotFound):
        shipping.remove(**to, action_id=way_back.pk, is_inbound=False)
    shipping.change(**to, action_id=way_back.pk, is_inbound=True, custom_amount=Decimal(2))
    with pytest.raises(OptionNotForReturn):
        shipping.add(**to, method=NewMethod(option(3, rules=[("is_return", "eq", "false")]).pk), is_inbound=True)
    shipping.remove(**to, action_id=way_back.pk, is_inbound=True)
    outbound.remove(**to, action_id=action_of(change_id, "item_add").pk)
    inbound.remove(**to, action_id=returned.pk)
    assert not OrderChangeAction.objects.exists()
    inbound.add(**to, items=back(order))
    outbound.add(**to, items=[NewItem(blue.pk, 1)])
    lifecycle.request(**to)
    assert Return.objects.get().location_id == place.pk


Refused = Callable[[dict[str, Any], Any], object]


@pytest.mark.parametrize(
    ("refused", "error"),
    [
        (lambda to, order: inbound.add(**to, items=[]), NothingToAdd),
        (lambda to, order: inbound.add(**to, items=back(order, units=0)), QuantityTooSmall),
        (lambda to, order: inbound.add(**to, items=back(order, units=-1)), QuantityTooSmall),
        (lambda to, order: inbound.add(**to, items=back(order) * 2), DuplicateItem),
        (lambda to, order: inbound.add(**to, items=back(order, units=3)), TooManyToReturn),
        (lambda to, order: inbound.add(**to, items=[ReturnedUnits("ordli_x", 1)]), ItemsNotInOrder),
        (lambda to, order: inbound.add(**to, items=back(order, reason_id="rr_x")), UnknownReturnReason),
        (lambda to, order: inbound.add(**to, items=back(order, description="x" * 1001)), InvalidData),
        (lambda to, order: inbound.change(**to, action_id="ordchact_x", quantity=1), ActionNotFound),
        (lambda to, order: inbound.remove(**to, action_id="ordchact_x"), ActionNotFound),
        (lambda to, order: written_off.add(**to, items=[ClaimedUnits(line(order, "mug").pk, 1)]), OnlyClaims),
        (lambda to, order: outbound.remove(**to, action_id="ordchact_x"), ActionNotFound),
        (lambda to, order: cancellation.cancel(**to), NotConfirmed),
        (lambda to, order: lifecycle.request(actor=STAFF, change_id="ordch_x"), ChangeNotFound),
        (lambda to, order: cancellation.cancel(actor=STAFF, change_id="ordch_x"), ChangeNotFound),
        (lambda to, order: begun(order), ChangeOpen),
        (lambda to, order: edits.begin(actor=STAFF, order_id=order.pk), ChangeOpen),
        (lambda to, order: edits.cancel(actor=STAFF, order_id=order.pk), NoOpenChange),
        (lambda to, order: confirmation.confirm(actor=STAFF, order_id=order.pk), NoOpenChange),
        (lambda to, order: items.add(actor=STAFF, order_id=order.pk, items=[NewItem("variant_x", 1)]), NoOpenChange),
        (lambda to, order: begun(order, ChangeKind.CLAIM), ClaimTypeRequired),
        (lambda to, order: begun(order, ChangeKind.EXCHANGE, ClaimType.REFUND), ClaimTypeRequired),
    ],
)
def test_what_an_open_exchange_refuses(refused: Refused, error: type[DomainError]) -> None:
    order = delivered_a()
    to: dict[str, Any] = {"actor": STAFF, "change_id": begun(order)}
    with pytest.raises(error):
        refused(to, order)
    assert list(OrderChange.objects.values_list("status")) == [("pending",)]


def test_an_edit_is_no_exchange() -> None:
    change_id = edits.begin(actor=STAFF, order_id=order_a().pk)
    for verb in (lifecycle.request, lifecycle.cancel_request, cancellation.cancel):
        with pytest.raises(ChangeNotFound):
            verb(actor=STAFF, change_id=change_id)


def test_a_claim_that_refunds_sends_nothing_and_gift_cards_are_not_claimed() -> None:
    order = delivered_a()
    change_id = begun(order, ChangeKind.CLAIM, ClaimType.REFUND)
    with pytest.raises(RefundsOnly):
        outbound.add(actor=STAFF, change_id=change_id, items=[NewItem(goods("blue", 10).pk, 1)])
    card = line(order, "mug")
    card.is_giftcard = True
    card.save()
    with pytest.raises(GiftCardLine):
        written_off.add(actor=STAFF, change_id=change_id, items=[ClaimedUnits(card.pk, 1)])
    to: dict[str, Any] = {"actor": STAFF, "change_id": change_id}
    written_off.add(**to, items=[ClaimedUnits(line(order, "tee").pk, 1, ClaimReason.WRONG_ITEM)])
    action = action_of(change_id, "write_off_item")
    with pytest.raises(TooManyToReturn):
        written_off.change(**to, action_id=action.pk, quantity=2)
    written_off.change(**to, action_id=action.pk, reason=ClaimReason.OTHER, internal_note="Seen")
    action.refresh_from_db()
    assert (action.claim_reason, action.internal_note) == ("other", "Seen")
    written_off.remove(**to, action_id=action.pk)
    assert not OrderChangeAction.objects.exists()


def test_what_has_ended_is_not_acted_on() -> None:
    order = delivered_a()
    change = exchanged(order, goods("blue", 10))
    for verb in (lifecycle.request, lifecycle.cancel_request):
        with pytest.raises(ChangeEnded):
            verb(actor=STAFF, change_id=change.pk)


def test_a_shortage_leaves_the_exchange_open() -> None:
    order, blue = delivered_a(), goods("blue", 10, in_stock=1)
    change_id = ready(order, blue, 2)
    with pytest.raises(DomainError, match="blue"):
        lifecycle.request(actor=STAFF, change_id=change_id)
    assert OrderChange.objects.get().status == "pending"
    assert (reserved(order), Return.objects.count()) == ({"mug": 0, "tee": 0}, 0)
    assert outcome(order)[:2] == ("60.00", "0.00")


def _at(place: StockLocation, title: str) -> ProductVariant:
    made = goods(title, 10, in_stock=None)
    made.manage_inventory = True
    made.save()
    stock(made, 10, location=place)
    return made


def test_statements_do_not_depend_on_the_lines() -> None:
    def statements(number: int) -> int:
        place = StockLocationFactory()
        order = delivered(*((_at(place, f"mug {each}"), 2) for each in range(number)))
        change_id = begun(order, ChangeKind.CLAIM, ClaimType.REPLACE)
        to: dict[str, Any] = {"actor": STAFF, "change_id": change_id}
        written_off.add(**to, items=[ClaimedUnits(each.pk, 2) for each in lines(order)])
        inbound.add(**to, items=[ReturnedUnits(each.pk, 1) for each in lines(order)])
        outbound.add(**to, items=[NewItem(str(each.variant_id), 1) for each in lines(order)])
        with CaptureQueriesContext(connection) as seen:
            lifecycle.request(**to)
        with CaptureQueriesContext(connection) as undone:
            cancellation.cancel(**to)
        assert list(discrepancies()) == []
        return len(seen) * 1000 + len(undone)

    assert statements(2) == statements(5)
