"""Canceling an order: its money is returned, and its stock, promotions and gift cards are released."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest
from django.db import transaction

from carts.details import promotion_codes
from carts.models import Cart, Promotion, PromotionUsage
from catalog.models import Reservation
from customers.models import Customer
from giftcards.cards import redemption
from giftcards.models import GiftCard, StoreCreditAccount, Transaction
from giftcards.spending.cart_cards import add_card
from giftcards.spending.cart_store_credit import add_store_credit
from kit.domain.actor import SYSTEM, Actor
from kit.errors import Forbidden, Unavailable
from orders.fulfillments import creation, delivery, shipping
from orders.fulfillments.requested_items import ItemQuantity
from orders.managing import archiving, cancellation, completion
from orders.models import CarrierRequest, Order, OrderTransaction
from orders.states import CarrierResult
from payments.errors import PaymentProviderRefused
from payments.models import Intent, Payment, PaymentCollection, PaymentSession
from payments.movements import capturing, refunding
from payments.providers.base import Action, Declined
from payments.requests.events import receive_event
from payments.states import Act
from tests.factories.carts import PromotionFactory, shopper, sold_variant
from tests.factories.checkout import checked_out_cart, pay, stocked
from tests.factories.customers import CustomerFactory
from tests.factories.giftcards import gift_card, store_credit
from tests.factories.inventory import StockLocationFactory
from tests.orders.completing import order_of
from tests.orders.fulfillments.carrier import at_work, carried, carried_order
from tests.orders.fulfillments.shop import books, events, kit_of, ordered, pack
from tests.orders.managing.shop import history, is_clean, open_requests, refusal, staff, statuses, work
from tests.orders.placed import gift
from tests.payments.providers import FAKE, SIGNED, FakeProvider, event, switched_on

pytestmark = pytest.mark.django_db(transaction=True)

TOTAL = Decimal(55)
"""What `ordered` comes to: five at ten dollars, and shipping."""


@pytest.fixture
def ann(transactional_db: None) -> Actor:
    return staff()


@pytest.fixture
def fake(transactional_db: None, settings: Any) -> Iterator[FakeProvider]:
    with switched_on(settings) as made:
        yield made


def cancel(order: Order, actor: Actor) -> None:
    cancellation.cancel(actor=actor, order_id=order.pk)


def payment_of(order: Order) -> Payment:
    found: Payment = Payment.objects.get(collection__order_id=order.pk)
    return found


def capture(order: Order, amount: int | None = None) -> None:
    taken = None if amount is None else Decimal(amount)
    capturing.capture(actor=SYSTEM, payment_id=payment_of(order).pk, amount=taken)


def returned(fake: FakeProvider, order: Order) -> Decimal:
    return sum(fake.returned[payment_of(order).session_id].values(), Decimal(0))


class TestGoods:
    def test_stock_fulfillments_and_status_are_as_before_the_order(self, ann: Actor) -> None:
        order = ordered()
        pack(order, 2)
        pack(order, 1)
        assert books(order) == ([(3, 0, 0)], [(7, 2)], "partially_fulfilled")
        cancel(order, ann)
        assert books(order) == ([(0, 0, 0)], [(10, 0)], "canceled")
        assert statuses(order) == ("canceled", "canceled", "canceled")
        assert order.canceled_at is not None
        assert order.version == 4
        assert events(order)[2:] == [
            ("order.fulfillment_canceled", order.pk),
            ("order.fulfillment_canceled", order.pk),
            ("order.canceled", order.pk),
        ]
        assert history(order) == ["Canceled."]
        assert is_clean()

    def test_a_kit_and_goods_on_backorder(self, ann: Actor) -> None:
        backordered = sold_variant(10, in_stock=1)
        backordered.allow_backorder = True
        backordered.save()
        order = ordered((kit_of((2, 9), (1, 5), location=StockLocationFactory()), 4), (backordered, 3))
        before = sorted(books(order).stock)
        cancel(order, ann)
        assert [reserved for _, reserved in books(order).stock] == [0, 0, 0]
        assert sorted(books(order).stock) == [(there, 0) for there, _ in before]
        assert not Reservation.objects.not_deleted().exists()
        assert is_clean()

    def test_a_booked_parcel_is_canceled_with_its_carrier(self, ann: Actor, settings: Any) -> None:
        with at_work(settings) as carrier:
            order = carried_order()
            carried(order, 2)
            cancel(order, ann)
            [request] = CarrierRequest.objects.all()
            assert (request.result, carrier.asked) == (CarrierResult.WITHDRAWN, [])

    def test_a_canceled_order_cannot_be_fulfilled_even_if_it_is_archived(self, ann: Actor) -> None:
        order = ordered()
        cancel(order, ann)
        archiving.archive(actor=ann, order_id=order.pk)
        items = [ItemQuantity(order.items.get().pk, 1)]
        assert refusal(creation.create, actor=ann, order_id=order.pk, items=items) == (
            "invalid_data",
            f"Order with id {order.pk} has been canceled.",
        )
        assert statuses(order) == ("archived", "canceled", "canceled")

    def test_a_use_of_a_promotion_is_released_once(self, ann: Actor) -> None:
        promotion: Promotion = PromotionFactory(code="ONCE", usage_limit=1)
        order = order_of(self.cart("ONCE"))
        assert (Promotion.objects.get(pk=promotion.pk).used, PromotionUsage.objects.count()) == (1, 1)
        cancel(order, ann)
        assert (Promotion.objects.get(pk=promotion.pk).used, PromotionUsage.objects.count()) == (0, 0)
        assert refusal(cancellation.cancel, actor=ann, order_id=order.pk)[0] == "invalid_data"
        assert Promotion.objects.get(pk=promotion.pk).used == 0
        order_of(self.cart("ONCE"))
        assert is_clean()

    def cart(self, code: str) -> Cart:
        cart = checked_out_cart(stocked(5))
        promotion_codes.add(actor=shopper(), cart_id=cart.pk, promo_codes=[code])
        pay(cart)
        return Cart.objects.get(pk=cart.pk)


class TestPayments:
    def test_authorized_money_is_voided(self, ann: Actor, fake: FakeProvider) -> None:
        order = ordered(provider_id=FAKE)
        cancel(order, ann)
        assert statuses(order)[1] == "canceled"
        assert open_requests() == [("cancel", None)]
        assert payment_of(order).canceled_at is None
        work()
        assert (fake.asked[-1], open_requests()) == (Act.CANCEL, [])
        assert payment_of(order).canceled_at is not None
        collection = PaymentCollection.objects.get(order_id=order.pk)
        assert (collection.status, collection.authorized_amount) == ("canceled", 0)
        assert is_clean()

    def test_captured_money_is_refunded_and_the_status_follows(self, ann: Actor, fake: FakeProvider) -> None:
        order = ordered(provider_id=FAKE)
        capture(order)
        cancel(order, ann)
        assert statuses(order)[1] == "captured"
        assert open_requests() == [("refund", TOTAL)]
        work()
        assert statuses(order)[1] == "refunded"
        assert (order.paid_total, order.refunded_total, returned(fake, order)) == (TOTAL, TOTAL, TOTAL)
        refund = payment_of(order).refunds.get()
        assert (refund.note, refund.created_by) == ("The order was canceled", ann.id)
        work()
        assert returned(fake, order) == TOTAL
        assert is_clean()

    def test_of_money_captured_in_part_that_part_is_refunded_and_the_rest_voided(
        self, ann: Actor, fake: FakeProvider
    ) -> None:
        order = ordered(provider_id=FAKE)
        capture(order, 20)
        cancel(order, ann)
        assert statuses(order)[1] == "partially_captured"
        assert open_requests() == [("refund", Decimal(20)), ("cancel", None)]
        work()
        assert statuses(order)[1] == "refunded"
        assert (returned(fake, order), order.refunded_total) == (20, 20)
        assert PaymentSession.objects.get().status == "captured"
        assert is_clean()

    def test_what_was_refunded_before_is_not_refunded_again(self, ann: Actor, fake: FakeProvider) -> None:
        order = ordered(provider_id=FAKE)
        capture(order)
        refunding.refund(actor=SYSTEM, payment_id=payment_of(order).pk, amount=Decimal(15))
        cancel(order, ann)
        assert statuses(order)[1] == "partially_refunded"
        assert open_requests() == [("refund", Decimal(40))]
        work()
        assert (statuses(order)[1], returned(fake, order)) == ("refunded", TOTAL)
        assert is_clean()

    def test_a_local_provider_voids_at_once(self, ann: Actor) -> None:
        order = ordered()
        cancel(order, ann)
        assert payment_of(order).canceled_at is not None
        assert open_requests() == []

    def test_an_order_of_which_nothing_is_due(self, ann: Actor) -> None:
        cart = checked_out_cart(stocked(5))
        add_card(actor=shopper(), cart_id=cart.pk, code=gift_card(100).code)
        order = order_of(Cart.objects.get(pk=cart.pk))
        assert statuses(order)[1] == "captured"
        cancel(order, ann)
        assert statuses(order) == ("canceled", "canceled", "canceled")
        assert is_clean()


class TestUnfinishedRequests:
    def test_a_void_that_is_refused_is_requested_until_it_is_done(self, ann: Actor, fake: FakeProvider) -> None:
        order = ordered(provider_id=FAKE)
        fake.says(Act.CANCEL, Declined("Not now"))
        cancel(order, ann)
        work()
        assert statuses(order) == ("canceled", "canceled", "canceled")
        assert (open_requests(), Intent.objects.get(act=Act.CANCEL).error) == ([("cancel", None)], "Not now")
        assert payment_of(order).canceled_at is None
        work()
        assert open_requests() == []
        assert payment_of(order).canceled_at is not None

    def test_a_refund_that_is_refused_is_requested_until_it_is_done(self, ann: Actor, fake: FakeProvider) -> None:
        order = ordered(provider_id=FAKE)
        capture(order)
        fake.says(Act.REFUND, Declined("The balance is too low"))
        cancel(order, ann)
        work()
        assert (statuses(order)[1], open_requests()) == ("captured", [("refund", TOTAL)])
        work()
        assert (statuses(order)[1], returned(fake, order)) == ("refunded", TOTAL)

    def test_an_open_refund_is_retried_until_it_is_done(self, ann: Actor, fake: FakeProvider) -> None:
        order = ordered(provider_id=FAKE)
        capture(order)
        fake.says(Act.REFUND, ConnectionError("Silence"))
        with pytest.raises(Unavailable):
            refunding.refund(actor=SYSTEM, payment_id=payment_of(order).pk, amount=Decimal(15))
        cancel(order, ann)
        assert open_requests() == [("refund", Decimal(15)), ("refund", Decimal(40))]
        fake.says(Act.REFUND, Declined("Not now"))
        work(2)
        assert (statuses(order)[1], returned(fake, order)) == ("refunded", TOTAL)
        assert is_clean()

    def test_a_refund_whose_refusal_arrives_after_the_cancellation(self, ann: Actor, fake: FakeProvider) -> None:
        """The order is canceled before the provider has answered."""
        order = ordered(provider_id=FAKE)
        capture(order)

        def refuse(*_: object, **__: object) -> None:
            cancel(order, ann)
            fake.recovers()
            raise Declined("Not now")

        original, fake.refund = fake.refund, refuse  # type: ignore[method-assign,assignment]
        with pytest.raises(PaymentProviderRefused):
            refunding.refund(actor=SYSTEM, payment_id=payment_of(order).pk, amount=Decimal(15))
        fake.refund = original  # type: ignore[method-assign]
        assert open_requests() == [("refund", Decimal(15)), ("refund", Decimal(40))]
        work()
        assert (statuses(order)[1], returned(fake, order)) == ("refunded", TOTAL)

    def test_a_capture_that_was_never_sent_is_withdrawn(self, ann: Actor, fake: FakeProvider, settings: Any) -> None:
        order = ordered(provider_id=FAKE)
        with transaction.atomic():
            capturing.capture_of_order(order.pk)
        cancel(order, ann)
        work()
        assert (Act.CAPTURE in fake.asked, open_requests()) == (False, [])
        assert Intent.objects.get(act=Act.CAPTURE).error == "The order was canceled"
        assert statuses(order)[1] == "canceled"

    def test_what_a_capture_under_way_takes_is_refunded(self, ann: Actor, fake: FakeProvider) -> None:
        order = ordered(provider_id=FAKE)
        fake.loses_answers(Act.CAPTURE)
        with pytest.raises(Unavailable):
            capture(order)
        cancel(order, ann)
        assert (statuses(order)[1], open_requests()) == ("canceled", [("capture", TOTAL), ("cancel", None)])
        work()
        assert (statuses(order)[1], open_requests()) == ("captured", [("refund", TOTAL)])
        work()
        assert (statuses(order)[1], returned(fake, order)) == ("refunded", TOTAL)
        assert is_clean()

    def test_money_that_a_late_event_reports_is_refunded(self, ann: Actor, fake: FakeProvider) -> None:
        order = ordered(provider_id=FAKE)
        cancel(order, ann)
        work()
        session_id = payment_of(order).session_id
        body = event("evt_1", session_id, Action.CAPTURED, status="captured", captured=55)
        for _ in range(2):
            receive_event(provider_id=FAKE, body=body, headers=SIGNED)
        assert (statuses(order)[1], open_requests()) == ("captured", [("refund", TOTAL)])
        work()
        assert (statuses(order)[1], returned(fake, order)) == ("refunded", TOTAL)
        assert OrderTransaction.objects.filter(order=order).count() == 2
        assert is_clean()


class TestCredit:
    def test_card_store_credit_and_payment_are_refunded_once(self, ann: Actor, fake: FakeProvider) -> None:
        customer: Customer = CustomerFactory(has_account=True)
        store_credit(customer, 12)
        order = self.order_paid_by_card(customer, with_credit=True)
        account = StoreCreditAccount.objects.get(customer=customer)
        assert (account.credits - account.debits, order.credit_line_total) == (0, 19)
        capture(order)
        cancel(order, ann)
        account.refresh_from_db()
        assert account.credits - account.debits == 19
        [entry] = Transaction.objects.filter(type="credit", reference="order")
        assert (entry.amount, entry.reference_id, entry.group.code) == (
            19,
            order.pk,
            f"refund:{order.refunds.get(note='The order was canceled', parts__account=account).pk}:{account.pk}",
        )
        work()
        assert (statuses(order)[1], returned(fake, order)) == ("refunded", order.paid_total)
        assert is_clean()

    def test_a_guests_card_is_refunded_to_its_own_account(self, ann: Actor, fake: FakeProvider) -> None:
        order = self.order_paid_by_card(None)
        cancel(order, ann)
        card = GiftCard.objects.get()
        assert (card.status, card.guest_account.credits - card.guest_account.debits) == ("redeemed", 7)
        cart = checked_out_cart(stocked(5))
        add_card(actor=shopper(), cart_id=cart.pk, code=card.code)
        assert Cart.objects.get(pk=cart.pk).credit_line_total == 7
        assert is_clean()

    def order_paid_by_card(self, customer: Customer | None, *, with_credit: bool = False) -> Order:
        customer_id = customer.pk if customer else None
        actor = shopper(customer_id=customer_id)
        cart = checked_out_cart(stocked(5, 50), customer_id=customer_id, provider_id=FAKE)
        add_card(actor=actor, cart_id=cart.pk, code=gift_card(7).code)
        if with_credit:
            add_store_credit(actor=actor, cart_id=cart.pk, amount=Decimal(12))
        pay(cart, provider_id=FAKE)
        return order_of(Cart.objects.get(pk=cart.pk))


class TestBoughtCards:
    @pytest.fixture
    def order(self, ann: Actor) -> Order:
        """Two gift cards that were bought, and are issued."""
        order = ordered((gift(20), 2))
        capture(order)
        return order

    def test_pending_ones_are_canceled(self, ann: Actor, order: Order) -> None:
        assert list(GiftCard.objects.values_list("status", flat=True)) == ["pending", "pending"]
        cancel(order, ann)
        assert list(GiftCard.objects.values_list("status", flat=True)) == ["canceled", "canceled"]
        work()
        assert statuses(order)[1] == "refunded"
        assert GiftCard.objects.count() == 2
        assert is_clean()

    def test_a_redeemed_one_prevents_the_cancellation(self, ann: Actor, order: Order) -> None:
        customer = CustomerFactory()
        card = GiftCard.objects.order_by("pk")[0]
        redemption.redeem(actor=Actor("customer", customer.pk), id_or_code=card.code)
        before = books(order)
        assert refusal(cancellation.cancel, actor=ann, order_id=order.pk) == (
            "not_allowed",
            f"Gift card …{card.code[-4:]}, which was bought with the order, is already redeemed",
        )
        assert (books(order), statuses(order)[:2]) == (before, ("pending", "captured"))
        assert (open_requests(), history(order)) == ([], [])
        assert sorted(GiftCard.objects.values_list("status", flat=True)) == ["pending", "redeemed"]


class TestRefusals:
    def test_twice(self, ann: Actor) -> None:
        order = ordered()
        cancel(order, ann)
        assert refusal(cancellation.cancel, actor=ann, order_id=order.pk) == (
            "invalid_data",
            f"Order with id {order.pk} has been canceled.",
        )
        assert [name for name, _ in events(order)] == ["order.canceled"]

    def test_a_completed_order_and_an_archived_one(self, ann: Actor) -> None:
        order = ordered()
        completion.complete(actor=ann, order_id=order.pk, note="Picked up")
        assert refusal(cancellation.cancel, actor=ann, order_id=order.pk) == (
            "not_allowed",
            "Cannot cancel a completed order. Please use the return process instead",
        )
        archiving.archive(actor=ann, order_id=order.pk)
        assert refusal(cancellation.cancel, actor=ann, order_id=order.pk) == (
            "not_allowed",
            "The order is archived and cannot become canceled",
        )

    def test_shipped_and_delivered_goods(self, ann: Actor) -> None:
        message = "Cannot cancel an order with shipped or delivered items. Please use the return process instead"
        for verb in (shipping.ship, delivery.deliver):
            order = ordered()
            verb(actor=ann, fulfillment_id=pack(order, 2).pk)
            assert refusal(cancellation.cancel, actor=ann, order_id=order.pk) == ("not_allowed", message)
            assert statuses(order)[0] == "pending"

    def test_an_unknown_order(self, ann: Actor) -> None:
        for order_id in ("order_none", "a\0b"):
            assert refusal(cancellation.cancel, actor=ann, order_id=order_id)[0] == "not_found"

    def test_the_permission(self, ann: Actor) -> None:
        order = ordered()
        clerk = Actor("user", ann.id, permitted=lambda permission: permission != "orders.cancel_order")
        with pytest.raises(Forbidden, match=r"orders\.cancel_order"):
            cancel(order, clerk)
        assert statuses(order)[0] == "pending"
