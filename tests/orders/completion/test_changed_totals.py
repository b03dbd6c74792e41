"""What a cart costs changes before it is completed: the refusal says what and how much, and the next call orders."""

from collections.abc import Callable
from typing import Any

import pytest

from carts.lines.lines import NewLineItem
from carts.models import Cart, Promotion
from catalog.models import Price, ProductVariant
from customers.models import Customer
from fulfillment.models import ShippingOption
from giftcards.cards.redemption import redeem
from giftcards.spending.cart_cards import add_card
from kit.values.timestamps import now
from orders.completion import completing
from orders.models import Order
from payments.models import PaymentSession
from taxes.models import TaxRate
from tests.contract.callers import Caller
from tests.customers.conftest import signed_in
from tests.factories.carts import PromotionFactory, shopper, sold_variant
from tests.factories.checkout import checked_out_cart, pay, ready_cart, stocked
from tests.factories.customers import CustomerFactory
from tests.factories.giftcards import gift_card, redeemer
from tests.factories.inventory import count_stock
from tests.factories.taxes import tax_rate
from tests.kit.graphql.calls import ask
from tests.orders.completing import nothing_is_claimed

pytestmark = pytest.mark.django_db(transaction=True)


def complete(caller: Caller, cart: Cart) -> Any:
    return caller.post(f"/store/carts/{cart.pk}/complete")


def refusal(caller: Caller, cart: Cart) -> dict[str, Any]:
    """The body of a refusal that claims nothing."""
    response = complete(caller, cart)
    assert response.status_code == 400, response.content
    assert nothing_is_claimed(cart)
    body: dict[str, Any] = response.json()
    return body


def ordered(caller: Caller, cart: Cart, total: float) -> None:
    """The cart becomes an order with that total, which its one session pays."""
    body = complete(caller, cart).json()
    assert (body["type"], body["order"]["total"]) == ("order", total)
    (session,) = PaymentSession.objects.not_deleted()
    assert (float(session.amount), session.status) == (total, "authorized")


def titled(variant: ProductVariant) -> str:
    return f"{variant.product.title} ({variant.title})" if variant.title else variant.product.title


def reprice(variant: ProductVariant, amount: Any) -> None:
    Price.objects.filter(price_set=variant.price_set).update(amount=amount)


def line_change(cart: Cart, kind: str, before: float, after: float, code: str | None = None) -> dict[str, Any]:
    """As `details` says it of the cart's only line."""
    line = cart.items.get()
    title = titled(ProductVariant.objects.get(pk=line.variant_id))
    return {"kind": kind, "id": line.pk, "title": title, "before": before, "after": after, "code": code}


def test_a_price_that_has_risen(guest: Caller) -> None:
    variant = sold_variant(10)
    cart = ready_cart(variant)
    session = PaymentSession.objects.get()
    reprice(variant, "12.50")
    assert refusal(guest, cart) == {
        "type": "invalid_data",
        "message": (
            "The total of the cart has changed from 15.00 to 17.50 usd: "
            f"the price of {titled(variant)} is 12.50 instead of 10.00. Review the cart and complete it again"
        ),
        "details": {"changes": [line_change(cart, "price", 10, 12.5)], "total_before": 15, "total": 17.5},
    }
    ordered(guest, cart, 17.5)
    assert PaymentSession.objects.get().pk == session.pk


def test_a_price_that_has_fallen_and_changes_again(guest: Caller) -> None:
    variant = sold_variant(10)
    cart = ready_cart(variant)
    for amount, before, after in ((9, 15, 14), (11, 14, 16)):
        reprice(variant, amount)
        details = refusal(guest, cart)["details"]
        assert (details["total_before"], details["total"]) == (before, after)
    ordered(guest, cart, 16)


def test_a_promotion_that_has_ended(guest: Caller) -> None:
    PromotionFactory(code="FIVE", type="fixed", target="items", value=5, currency_id="usd")
    cart = ready_cart(sold_variant(10), promo_codes=["FIVE"])
    Promotion.objects.update(ends_at=now())
    change = line_change(cart, "promotion", 5, 0, "FIVE")
    assert refusal(guest, cart)["details"] == {"changes": [change], "total_before": 10, "total": 15}
    ordered(guest, cart, 15)


def test_a_promotion_that_others_have_used_up(guest: Caller) -> None:
    PromotionFactory(code="FIVE", type="fixed", target="items", value=5, currency_id="usd", usage_limit=1)
    first, second = (ready_cart(sold_variant(10), promo_codes=["FIVE"]) for _ in range(2))
    assert complete(guest, first).json()["type"] == "order"
    body = refusal(guest, second)
    assert body["details"] == {
        "changes": [line_change(second, "promotion", 5, 0, "FIVE")],
        "total_before": 10,
        "total": 15,
    }
    assert "instead of 5.00 (promotion FIVE no longer applies)" in body["message"]
    assert complete(guest, second).json()["order"]["total"] == 15


def test_a_promotion_whose_last_use_another_cart_takes_at_the_same_moment(
    guest: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It still takes something off when the cart is refreshed, and is gone when its use is counted."""
    PromotionFactory(code="FIVE", type="fixed", target="items", value=5, currency_id="usd", usage_limit=1)
    cart, refreshed = ready_cart(sold_variant(10), promo_codes=["FIVE"]), completing.refreshed

    def taken_behind_it(*given: Any, **named: Any) -> Any:
        changed = refreshed(*given, **named)
        Promotion.objects.update(used=1)
        return changed

    with monkeypatch.context() as patched:
        patched.setattr(completing, "refreshed", taken_behind_it)
        details = refusal(guest, cart)["details"]
    assert details == {"changes": [line_change(cart, "promotion", 5, 0, "FIVE")], "total_before": 10, "total": 15}
    assert complete(guest, cart).json()["order"]["total"] == 15


def test_a_tax_rate(guest: Caller) -> None:
    tax_rate("us", 10)
    cart = ready_cart(sold_variant(10), shipping=0)
    TaxRate.objects.update(rate=20)
    details = {"changes": [line_change(cart, "tax", 1, 2)], "total_before": 11, "total": 12}
    assert refusal(guest, cart)["details"] == details
    ordered(guest, cart, 12)


def test_the_price_of_shipping(guest: Caller) -> None:
    cart = ready_cart(sold_variant(10))
    Price.objects.filter(price_set=ShippingOption.objects.get().price_set).update(amount="7.25")
    body, method = refusal(guest, cart), cart.shipping_methods.get()
    shipping = {"kind": "shipping", "id": method.pk, "title": "Option 0", "before": 5, "after": 7.25, "code": None}
    assert body["details"] == {"changes": [shipping], "total_before": 15, "total": 17.25}
    assert "shipping by Option 0 costs 7.25 instead of 5.00" in body["message"]
    ordered(guest, cart, 17.25)


def test_a_way_of_shipping_that_is_gone(guest: Caller) -> None:
    """The shopper chooses another one, and pays with the same session."""
    cart = ready_cart(sold_variant(10))
    ShippingOption.objects.get().delete()
    body = refusal(guest, cart)
    assert "shipping by Option 0 is no longer possible" in body["message"]
    assert [(each["kind"], each["before"], each["after"]) for each in body["details"]["changes"]] == [
        ("shipping", 5, None)
    ]
    assert refusal(guest, cart)["message"].startswith("No shipping method selected")


def test_a_gift_card_that_somebody_else_has_redeemed(guest: Caller) -> None:
    cart, card = checked_out_cart(sold_variant(10)), gift_card(4)
    add_card(actor=shopper(), cart_id=cart.pk, code=card.code)
    pay(cart)
    redeem(actor=redeemer(CustomerFactory(has_account=True)), id_or_code=card.code)
    body = refusal(guest, cart)
    assert [(each["kind"], each["title"], each["before"], each["after"]) for each in body["details"]["changes"]] == [
        ("credit", "Gift card", 4, 0)
    ]
    assert (body["details"]["total_before"], body["details"]["total"]) == (11, 15)
    ordered(guest, cart, 15)


def test_stock_that_does_not_suffice_is_counted_and_the_session_follows(guest: Caller) -> None:
    cart = ready_cart(NewLineItem(stocked(3).pk, 3))
    count_stock(2)
    body = refusal(guest, cart)
    assert (body["type"], body["code"]) == ("not_allowed", "insufficient_inventory")
    assert body["details"] == {"changes": [line_change(cart, "stock", 3, 2)], "total_before": 35, "total": 35}
    guest.post(f"/store/carts/{cart.pk}/line-items/{cart.items.get().pk}", {"quantity": 2})
    ordered(guest, cart, 25)


def test_several_changes_at_once_are_all_listed(guest: Caller) -> None:
    """A tax that only follows from its price is not."""
    tax_rate("us", 10)
    variants = [sold_variant(amount) for amount in (10, 20, 30, 40)]
    cart = ready_cart(*variants, shipping=0)
    for variant in variants:
        reprice(variant, 11)
    body = refusal(guest, cart)
    assert [(each["kind"], each["before"], each["after"]) for each in body["details"]["changes"]] == [
        ("price", before, 11) for before in (10, 20, 30, 40)
    ]
    assert (body["details"]["total_before"], body["details"]["total"]) == (110, 48.4)
    assert "; and 1 more. Review" in body["message"]
    ordered(guest, cart, 48.4)


def test_amounts_that_change_while_the_total_stays(guest: Caller) -> None:
    variant = sold_variant(10)
    cart = ready_cart(variant)
    reprice(variant, 11)
    Price.objects.filter(price_set=ShippingOption.objects.get().price_set).update(amount=4)
    body = refusal(guest, cart)
    assert body["message"].startswith("The amounts of the cart have changed: the price of")
    assert [each["kind"] for each in body["details"]["changes"]] == ["price", "shipping"]
    assert (body["details"]["total_before"], body["details"]["total"]) == (15, 15)
    ordered(guest, cart, 15)


@pytest.mark.parametrize("changed", [lambda cart: cart, pay])
def test_a_change_before_the_completion_keeps_the_session(guest: Caller, changed: Callable[[Cart], Any]) -> None:
    """By the shopper, or by the shop before the shopper starts the session again."""
    variant = sold_variant(10)
    cart = ready_cart(variant)
    session = PaymentSession.objects.get()
    reprice(variant, 12)
    guest.post(f"/store/carts/{cart.pk}", {"email": "z@example.com"})
    changed(Cart.objects.get(pk=cart.pk))
    assert (PaymentSession.objects.get().pk, PaymentSession.objects.get().amount) == (session.pk, 17)
    ordered(guest, cart, 17)


def test_a_customers_cart_in_graphql() -> None:
    ann: Customer = CustomerFactory(has_account=True)
    caller, variant = signed_in(ann), sold_variant(10)
    cart = ready_cart(variant, customer_id=ann.pk)
    reprice(variant, 12)
    document = "mutation ($id: ID!) { completeCart(id: $id) { order { total } } }"
    (error,) = ask(caller, document, {"id": cart.pk}).json()["errors"]
    assert error["extensions"] == {
        "type": "invalid_data",
        "details": {"changes": [line_change(cart, "price", 10, 12)], "total_before": 15, "total": 17},
    }
    done = ask(caller, document, {"id": cart.pk}).json()["data"]["completeCart"]
    assert done == {"order": {"total": 17}}
    assert Order.objects.count() == 1
