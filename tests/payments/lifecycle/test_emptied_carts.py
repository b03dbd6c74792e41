"""A cart that loses its last line: nothing is due, nothing is held, and captured money is refunded or spent later."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from carts.lines import line_addition
from carts.models import Cart
from carts.states import PromotionTarget, PromotionType
from catalog.models import Product
from giftcards.spending.cart_cards import add_card
from kit.domain.actor import SYSTEM
from orders.completion import resuming
from payments.models import Intent, Payment, PaymentSession
from payments.movements import capturing
from payments.requests import intents
from payments.states import Act
from shop.errors import ProviderUnavailable
from tests.contract.callers import Caller, storefront
from tests.factories import payments as make
from tests.factories.apikeys import publishable_key
from tests.factories.carts import PromotionFactory, shopper, sold_variant
from tests.factories.checkout import ready_cart
from tests.factories.giftcards import gift_card
from tests.payments.paid_carts import change_quantity, collection_of
from tests.payments.providers import FAKE, FakeProvider

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def store() -> Caller:
    return storefront(publishable_key())


@pytest.fixture
def held(fake: FakeProvider) -> Payment:
    """Fifty dollars that the provider has authorized for a cart."""
    return make.authorized_payment(50, provider_id=FAKE)


def sessions(cart: Cart) -> list[tuple[int, str]]:
    return [(row.amount, row.status) for row in PaymentSession.objects.filter(collection__cart=cart).order_by("pk")]


def carry_out_all() -> list[Act]:
    """What the background worker asks the provider from now on."""
    asked = Intent.objects.filter(done_at=None).order_by("pk")
    acts = [(intent.pk, Act(intent.act)) for intent in asked]
    for intent_id, _ in acts:
        intents.carry_out(intent_id)
    return [act for _, act in acts]


@pytest.mark.parametrize("how", ["deleted", "set to 0", "withdrawn and deleted"])
def test_shipping_and_session_go_and_the_rest_stays(store: Caller, fake: FakeProvider, how: str) -> None:
    PromotionFactory(code="TEN", type=PromotionType.FIXED, target=PromotionTarget.ORDER, value=10, currency_id="usd")
    made = ready_cart(sold_variant(40), provider_id=FAKE)
    path = f"/store/carts/{made.pk}"
    before = store.post(f"{path}/promotions", {"promo_codes": ["TEN"]}).json()["cart"]
    store.post(f"/store/payment-collections/{collection_of(made).pk}/payment-sessions", {"provider_id": FAKE})
    assert (before["total"], sessions(made)) == (35, [(45, "canceled"), (35, "pending")])
    if how == "withdrawn and deleted":
        Product.objects.update(status="draft")
    line = f"{path}/line-items/{made.items.get().pk}"
    answer = store.post(line, {"quantity": 0}) if how == "set to 0" else store.send("delete", line)
    assert answer.status_code == 200
    fields = (
        "fields=total,shipping_total,email,*items,*shipping_methods,*promotions,*shipping_address,skipped_promo_codes"
    )
    after: dict[str, Any] = store.get(path, fields).json()["cart"]
    assert (after["total"], after["shipping_total"], after["items"], after["shipping_methods"]) == (0, 0, [], [])
    assert (after["promotions"], [skip["code"] for skip in after["skipped_promo_codes"]]) == ([], ["TEN"])
    assert (after["email"], after["shipping_address"]["address_1"]) == ("ann@example.com", "1 Elm")
    assert sessions(made) == [(45, "canceled"), (35, "canceled")]
    assert (collection_of(made).amount, collection_of(made).status) == (0, "not_paid")
    carry_out_all()
    assert len(fake.called_off) == 2


@pytest.mark.parametrize("payer", ["nobody", "a gift card"])
def test_so_does_a_session_for_nothing(fake: FakeProvider, payer: str) -> None:
    cart = make.payable_cart(0 if payer == "nobody" else 30, provider_id=FAKE)
    if payer == "a gift card":
        add_card(actor=shopper(), cart_id=cart.pk, code=gift_card(80).code)
    make.session(make.collection(cart), provider_id=FAKE)
    assert sessions(cart) == [(0, "pending")]
    change_quantity(cart, 0)
    assert sessions(cart) == [(0, "canceled")]


def test_authorized_money_is_released(fake: FakeProvider, held: Payment) -> None:
    change_quantity(held.session.collection.cart, 0)
    assert sessions(held.session.collection.cart) == [(50, "canceled")]
    assert carry_out_all() == [Act.CANCEL]
    held.refresh_from_db()
    assert held.canceled_at is not None
    assert fake.called_off == {held.session_id}


@pytest.mark.parametrize("captured", [50, 7])
def test_captured_money_stays_and_pays_for_what_comes_next(fake: FakeProvider, held: Payment, captured: int) -> None:
    """Of a part that was captured, the rest is released, so that another session can pay what is left."""
    capturing.capture(actor=SYSTEM, payment_id=held.pk, amount=Decimal(captured))
    cart = held.session.collection.cart
    change_quantity(cart, 0)
    assert carry_out_all() == ([Act.CANCEL] if captured == 7 else [])
    collection = collection_of(cart)
    assert (collection.amount, collection.captured_amount, sessions(cart)) == (0, captured, [(50, "captured")])
    line_addition.add(actor=shopper(), cart_id=cart.pk, variant_id=sold_variant(60).pk, quantity=1)
    assert make.session(collection_of(cart), provider_id=FAKE).amount == 60 - captured


@pytest.mark.parametrize("captured", [50, 7])
def test_it_is_refunded_if_nothing_comes(fake: FakeProvider, held: Payment, captured: int, settings: Any) -> None:
    capturing.capture(actor=SYSTEM, payment_id=held.pk, amount=Decimal(captured))
    change_quantity(held.session.collection.cart, 0)
    carry_out_all()
    settings.UNCLAIMED_MONEY_LIFETIME = timedelta(seconds=-1)
    resuming.resume_all()
    assert carry_out_all() == [Act.REFUND]
    held.refresh_from_db()
    assert (held.captured_amount, held.refunded_amount) == (captured, captured)


def test_money_taken_before_the_provider_hears_of_it_is_recorded(fake: FakeProvider, held: Payment) -> None:
    fake.loses_answers(Act.CAPTURE)
    fake.taken[held.session_id]["beside"] = Decimal(50)
    cart = held.session.collection.cart
    change_quantity(cart, 0)
    assert carry_out_all() == [Act.CANCEL]
    assert (collection_of(cart).captured_amount, sessions(cart)) == (50, [(50, "captured")])


def test_a_cart_that_keeps_a_line_keeps_its_session_for_nothing(fake: FakeProvider) -> None:
    cart = make.payable_cart(0, provider_id=FAKE)
    make.session(make.collection(cart), provider_id=FAKE)
    change_quantity(cart, 3)
    assert sessions(cart) == [(0, "pending")]


def test_an_open_capture_is_awaited(fake: FakeProvider, held: Payment) -> None:
    fake.says(Act.CAPTURE, TimeoutError())
    with pytest.raises(ProviderUnavailable):
        capturing.capture(actor=SYSTEM, payment_id=held.pk)
    cart = held.session.collection.cart
    change_quantity(cart, 0)
    assert sessions(cart) == [(50, "authorized")]
    assert carry_out_all() == [Act.CAPTURE]
    assert (collection_of(cart).captured_amount, sessions(cart)) == (50, [(50, "captured")])
