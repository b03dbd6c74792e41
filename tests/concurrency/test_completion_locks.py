"""No two verbs around a completion wait for each other: locks are taken in one order."""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from carts.details import details, promotion_codes
from carts.lines.lines import NewLineItem
from carts.models import Cart
from catalog.models import InventoryLevel, Reservation
from giftcards.cards import redemption
from giftcards.spending.cart_cards import add_card
from giftcards.spending.cart_store_credit import add_store_credit
from giftcards.verification.verification import discrepancies
from kit.domain.actor import SYSTEM
from orders.access.transfers import requesting
from orders.completion.resuming import complete_paid_cart, resume_all
from orders.models import Order
from payments.lifecycle import cancellation
from payments.lifecycle.cart_collection import open_collection
from payments.models import Payment, PaymentSession
from payments.movements import capturing
from payments.providers.base import Action
from payments.requests.events import receive_event
from tests.concurrency.crowd import at_once
from tests.concurrency.outcomes import outcome
from tests.factories.carts import PromotionFactory, default_region, shopper
from tests.factories.checkout import checked_out_cart, pay, ready_cart, stocked
from tests.factories.customers import CustomerFactory
from tests.factories.giftcards import gift_card, redeemer, store_credit
from tests.orders.completing import completed
from tests.payments.providers import FAKE, SIGNED, FakeProvider, event, switched_on

pytestmark = [
    pytest.mark.postgresql,
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("seen_deadlocks"),
]


@pytest.fixture
def fake(transactional_db: None, settings: Any) -> Iterator[FakeProvider]:
    with switched_on(settings) as made:
        yield made


def test_11_carts_with_opposite_lines_promotions_and_credit() -> None:
    customer = CustomerFactory()
    account, region = store_credit(customer, 1_000), default_region().pk
    variants = [stocked(100) for _ in range(3)]
    promotions = [PromotionFactory() for _ in range(2)]

    def cart(number: int) -> Cart:
        step = -1 if number % 2 else 1
        lines = [NewLineItem(variant.pk, 1) for variant in variants[::step]]
        made = checked_out_cart(*lines, customer_id=customer.pk, region_id=region)
        actor = shopper(customer_id=customer.pk)
        promotion_codes.add(actor=actor, cart_id=made.pk, promo_codes=[each.code for each in promotions[::step]])
        add_card(actor=actor, cart_id=made.pk, code=gift_card(3).code)
        add_store_credit(actor=actor, cart_id=made.pk)
        return Cart.objects.get(pk=made.pk)

    carts = [cart(number) for number in range(16)]
    outcomes = Counter(at_once(lambda number: outcome(lambda: completed(carts[number])), threads=16))
    assert outcomes == {"done": 16}
    assert sorted(Order.objects.values_list("display_id", flat=True)) == list(range(1, 17))
    assert set(InventoryLevel.objects.values_list("reserved_quantity", flat=True)) == {16}
    account.refresh_from_db()
    paid = sum(order.credit_line_total for order in Order.objects.all())
    assert account.credits - account.debits == 1_000 + 16 * 3 - paid
    assert list(discrepancies()) == []


def test_all_verbs_around_a_cart_at_once(fake: FakeProvider) -> None:
    stranger = CustomerFactory()
    placed = 0
    for number in range(3):
        cart = ready_cart(stocked(5), provider_id=FAKE)
        card = gift_card(3)
        session = PaymentSession.objects.get(collection__cart=cart)
        body = event(f"evt_{number}", session.pk, Action.AUTHORIZED, status="authorized")
        verbs: list[Callable[[], object]] = [
            lambda cart=cart: completed(cart),
            lambda cart=cart: completed(cart),
            lambda cart=cart: complete_paid_cart.call(cart_id=cart.pk),
            lambda body=body: receive_event(provider_id=FAKE, body=body, headers=SIGNED),
            lambda cart=cart: details.change(actor=shopper(), cart_id=cart.pk, email="other@example.com"),
            lambda cart=cart, card=card: add_card(actor=shopper(), cart_id=cart.pk, code=card.code),
            lambda card=card: redemption.redeem(actor=redeemer(stranger), id_or_code=card.code),
            lambda session=session: cancellation.cancel(actor=SYSTEM, collection_id=session.collection_id),
            lambda cart=cart: open_collection(actor=shopper(), cart_id=cart.pk),
            resume_all,
        ]
        at_once(lambda index, verbs=verbs: outcome(verbs[index]), threads=len(verbs))
        placed += _finish(cart, stranger.pk)
    assert Order.objects.count() == placed
    assert list(discrepancies()) == []


def _finish(cart: Cart, stranger_id: str) -> int:
    """Pay and complete what is still open; then everybody reaches for the order. Returns how many there are."""
    cart.refresh_from_db()
    if cart.completed_at is None:
        resume_all()
    if not Order.objects.filter(cart_id=cart.pk).exists():
        outcome(lambda: pay(cart, provider_id=FAKE))
        outcome(lambda: completed(cart))
    order = Order.objects.filter(cart_id=cart.pk).first()
    if order is None:
        assert not Reservation.objects.not_deleted().filter(line_item_id__endswith=cart.items.get().pk[5:]).exists()
        return 0
    payments = list(Payment.objects.filter(collection__order_id=order.pk, canceled_at=None))
    actor = shopper(customer_id=stranger_id)
    verbs: list[Callable[[], object]] = [
        lambda: completed(cart),
        lambda: requesting.request_transfer(actor=actor, order_id=order.pk),
        *(lambda payment=payment: capturing.capture(actor=SYSTEM, payment_id=payment.pk) for payment in payments),
        resume_all,
    ]
    at_once(lambda index: outcome(verbs[index]), threads=len(verbs))
    order.refresh_from_db()
    if payments:
        assert (order.payment_status, order.paid_total) == ("captured", order.total)
    return 1
