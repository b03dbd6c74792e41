"""Carts that nobody has changed for long: which are deleted, with what, and which never are."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.apps import apps
from django.db import connection, transaction
from pytest_django import Settings

from carts.details import details
from carts.lines import line_addition, line_change, line_removal
from carts.models import Cart, CartAddress, CreditLine, LineItem
from kit.values.ids import new_id
from kit.values.timestamps import now
from orders.completion.expired_carts import discard_expired
from orders.models import CompletionAttempt, Order
from payments.lifecycle.completion import owe_refund
from payments.models import Intent, Payment, PaymentCollection, PaymentSession
from payments.requests import intents
from shop.errors import ProviderUnavailable
from taxes.models import TaxQuote
from tests.contract.callers import storefront
from tests.factories import carts as make
from tests.factories import payments
from tests.factories.apikeys import publishable_key
from tests.factories.checkout import checked_out_cart, ready_cart
from tests.factories.clock import at
from tests.factories.customers import CustomerFactory
from tests.factories.taxes import tax_rate
from tests.orders.completing import completed
from tests.payments.scripted import Script, provider
from tests.plans import plans_of

__all__ = ["provider"]

pytestmark = pytest.mark.django_db(transaction=True)
NOON = datetime.fromisoformat("2026-11-29T12:00:00+00:00")


@pytest.fixture(autouse=True)
def noon() -> Iterator[None]:
    """When the carts are made and changed, unless a test says otherwise."""
    with at(NOON):
        yield


def expired_after(**days: float) -> int:
    """How many carts are deleted so much later."""
    with at(NOON + timedelta(**days)):
        return discard_expired()


def part_tables() -> dict[str, int]:
    """How many rows the tables of carts and payments have."""
    models = [*apps.get_app_config("carts").get_models(include_auto_created=True), TaxQuote]
    models += [PaymentCollection, PaymentSession, Intent, CompletionAttempt]
    names = [(each, each.__name__) for each in models if not each.__name__.startswith(("Campaign", "Promotion"))]
    return {name: each._default_manager.count() for each, name in names}


def test_a_guests_cart_is_deleted_with_everything_90_days_after_its_last_change() -> None:
    tax_rate("us", 7)
    make.PromotionFactory(code="SAVE", products=[])
    cart = checked_out_cart(make.sold_variant(10), promo_codes=["SAVE"], metadata={"a": 1})
    CreditLine.objects.create(cart=cart, amount=1, reference="gift_card", reference_id="gcard_1")
    TaxQuote.objects.create(cart=cart, digest="d", provider_id="txp", requested_at=now())
    payments.collection(cart)
    before = part_tables()
    assert {name for name, number in before.items() if not number} <= {
        "PaymentSession", "Intent", "CompletionAttempt", "ShippingMethodAdjustment", "ShippingMethodTaxLine",
        "Promotion_type", "DraftNumber",
    }  # fmt: skip
    assert expired_after(days=89.9) == 0
    assert part_tables() == before
    assert expired_after(days=90.1) == 1
    assert not any(part_tables().values())
    response = storefront(publishable_key()).get(f"/store/carts/{cart.pk}")
    assert (response.status_code, response.json()["type"]) == (404, "not_found")


def test_a_customers_cart_lives_for_a_year_or_as_long_as_the_settings_say(settings: Settings) -> None:
    customer = CustomerFactory()
    make.cart(make.sold_variant(), actor=make.shopper(customer_id=customer.pk))
    guests = make.cart(make.sold_variant())
    assert expired_after(days=300) == 1
    assert not Cart.objects.filter(pk=guests.pk).exists()
    settings.CUSTOMER_CART_LIFETIME = timedelta(days=400)
    assert expired_after(days=399) == 0
    assert expired_after(days=401) == 1


def test_an_emptied_cart_is_deleted_after_a_week_and_a_filled_one_is_not() -> None:
    never, again, emptied = make.cart(), make.cart(), make.cart(make.sold_variant())
    variant = make.sold_variant(0)  # the totals stay
    with at(NOON + timedelta(days=5)):
        line_addition.add(actor=make.shopper(), cart_id=again.pk, variant_id=variant.pk, quantity=1)
        line_removal.remove(actor=make.shopper(), cart_id=emptied.pk, line_id=emptied.items.get().pk)
    assert expired_after(days=6.9) == 0
    assert expired_after(days=7.1) == 1
    assert not Cart.objects.filter(pk=never.pk).exists()
    assert expired_after(days=12.1) == 1
    assert Cart.objects.get() == again
    assert again.items.count() == 1


def test_an_empty_cart_that_an_older_version_has_filled_is_kept() -> None:
    cart, filled = make.cart(), make.cart(make.sold_variant())
    LineItem.objects.update(cart=cart)
    assert Cart.objects.get(pk=cart.pk).empty_since is not None
    assert expired_after(days=8) == 0
    assert Cart.objects.count() == 2
    assert filled.empty_since is None


@pytest.mark.parametrize(
    "change",
    [
        lambda cart: details.change(actor=make.shopper(), cart_id=cart.pk, email="ann@example.com"),
        lambda cart: line_change.change(
            actor=make.shopper(), cart_id=cart.pk, line_id=cart.items.get().pk, quantity=1, metadata={"a": 1}
        ),
    ],
)
def test_every_change_lets_a_cart_live_for_another_90_days(change: Callable[[Cart], None]) -> None:
    cart = make.cart(make.sold_variant())
    with at(NOON + timedelta(days=89)):
        change(cart)
    assert expired_after(days=178) == 0
    assert expired_after(days=180) == 1


def an_order() -> None:
    completed(ready_cart())
    assert Order.objects.exists()


def an_order_that_only_its_own_row_knows() -> None:
    """Nothing was due of it, and its cart looks open."""
    completed(checked_out_cart(make.sold_variant(0), shipping=0))
    Cart.objects.update(completed_at=None)
    PaymentCollection.objects.update(order_id=None)
    assert Order.objects.exists()


def a_closed_cart() -> None:
    make.cart(make.sold_variant())
    Cart.objects.update(closed_at=NOON)


def an_open_attempt() -> None:
    cart = make.cart(make.sold_variant())
    CompletionAttempt.objects.create(cart_id=cart.pk, total=10, currency_id="usd")


def authorized_money() -> None:
    payments.authorized_payment()


def captured_money() -> None:
    payments.captured_payment()


def voided_money() -> None:
    """The payment remains as a record, and nothing is authorized any more."""
    payment = payments.authorized_payment()
    with transaction.atomic():
        owe_refund(payment.collection_id, "No order")
    assert Payment.objects.get().canceled_at is not None
    assert PaymentCollection.objects.get().authorized_amount == 0


def a_refund() -> None:
    """It is done at once: the payment remains as a record."""
    payment = payments.captured_payment()
    with transaction.atomic():
        owe_refund(payment.collection_id, "No order")
    with at(NOON + timedelta(minutes=1)):
        intents.resume_all()
    assert Payment.objects.get().refunded_amount


@pytest.mark.parametrize(
    "state",
    [
        an_order,
        an_order_that_only_its_own_row_knows,
        a_closed_cart,
        an_open_attempt,
        authorized_money,
        captured_money,
        voided_money,
        a_refund,
    ],
    ids=lambda state: state.__name__,
)
def test_a_cart_that_something_holds_is_never_deleted(state: Callable[[], Any]) -> None:
    state()
    before = part_tables()
    for days in (91, 400, 4000):
        assert expired_after(days=days) == 0
    assert part_tables() == before


def test_a_cart_whose_completion_waits_for_its_provider_is_kept_until_that_has_answered(provider: Script) -> None:
    provider.meanwhile = lambda: None
    cart = ready_cart()
    provider.is_silent()
    with pytest.raises(ProviderUnavailable):
        completed(cart)
    assert CompletionAttempt.objects.get().status == "open"
    assert expired_after(days=400) == 0
    assert Cart.objects.get().pk == cart.pk


def test_a_refund_that_is_owed_keeps_the_cart(provider: Script) -> None:
    payment = payments.captured_payment()
    provider.is_silent()
    with transaction.atomic():
        owe_refund(payment.collection_id, "No order")
    assert expired_after(days=400) == 0
    assert Intent.objects.filter(done_at=None).count() == 1


def test_a_live_session_is_canceled_at_its_provider_and_the_cart_follows_a_week_later(provider: Script) -> None:
    session = payments.session()
    assert expired_after(days=91) == 0
    session.refresh_from_db()
    assert (session.status, Intent.objects.filter(act="cancel", done_at=None).count()) == ("canceled", 1)
    assert expired_after(days=99) == 0
    with at(NOON + timedelta(days=99)):
        intents.resume_all()
    assert provider.asked[-1] == "cancel"
    assert expired_after(days=100) == 1
    assert not any(part_tables().values())


def test_a_provider_may_still_report_about_a_canceled_session_for_a_week() -> None:
    payments.session()
    for days in (91, 97.9):
        assert expired_after(days=days) == 0
        assert PaymentSession.objects.get().status == "canceled"
    assert expired_after(days=98.1) == 1


def test_a_session_that_the_provider_refuses_to_cancel_keeps_the_cart(provider: Script) -> None:
    payments.session()
    assert expired_after(days=91) == 0
    provider.declines("It is being paid")
    with at(NOON + timedelta(days=92)):
        intents.resume_all()
    assert expired_after(days=400) == 0


def test_a_session_whose_payment_is_under_way_is_left_alone() -> None:
    session = payments.session()
    PaymentSession.objects.update(status="pending_authorization")
    assert expired_after(days=91) == 0
    session.refresh_from_db()
    assert (session.status, session.deleted_at) == ("pending_authorization", None)


def test_carts_that_are_kept_do_not_hide_those_behind_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("orders.completion.expired_carts._PAGE", 3)
    monkeypatch.setattr("orders.completion.expired_carts.BATCH_CARTS", 3)
    monkeypatch.setattr("orders.completion.expired_carts.BATCH_LINES", 2)
    kept = [make.cart(make.sold_variant()) for _ in range(7)]
    Cart.objects.update(closed_at=NOON)
    for _ in range(4):
        make.cart(make.sold_variant())
    assert expired_after(days=91) == 4
    assert {cart.pk for cart in Cart.objects.all()} == {cart.pk for cart in kept}
    assert not CartAddress.objects.exists()


@pytest.mark.postgresql
def test_expired_carts_are_found_by_indexes() -> None:
    """In a shop with many younger carts, and many orders."""
    customer = CustomerFactory()
    pattern = Cart.objects.values().get(pk=make.cart(make.sold_variant()).pk)
    states = [
        {"created_at": NOON - timedelta(days=age), "customer_id": owner, "completed_at": completed_at}
        for age in range(300)
        for owner in (None, customer.pk)
        for completed_at in (None, NOON)
    ]
    Cart.objects.bulk_create(Cart(**pattern | state | {"id": new_id("cart")}) for state in states)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE carts_cart")
    plans = [plan for text, plan in plans_of(discard_expired) if "LIMIT 1000" in text]
    names = ("carts_cart_empty", "carts_cart_of_guests", "carts_cart_of_customers")
    assert [name in plan for plan, name in zip(plans, names, strict=True)] == [True] * 3, plans
