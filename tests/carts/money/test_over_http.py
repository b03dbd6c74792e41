"""Cases over HTTP: from the shop file to the order, whose amounts are exactly those of the case."""

from pathlib import Path
from typing import Any

import pytest

from customers.models import Customer
from giftcards.verification.verification import discrepancies
from kit.domain.actor import SYSTEM
from kit.values import money
from orders.models import Order
from payments.models import Payment
from payments.movements import capturing
from tests.carts.money.cases import Case, load
from tests.carts.money.shop_files import ADDRESS, EMAIL, TAX_NUMBER, shop_of
from tests.contract.callers import Caller, storefront
from tests.customers.conftest import signed_in
from tests.factories.apikeys import publishable_key
from tests.operations.shop_file_runs import ShopFiles
from tests.walks import sampled

pytestmark = [pytest.mark.once, pytest.mark.django_db(transaction=True)]
CASES = [pytest.param(case, id=case["id"]) for case in load()]
EXEMPT = [each for each in CASES if each.values[0]["exempt"]]
TAXED = [each for each in CASES if each not in EXEMPT]
CART = "fields=*items,*items.tax_lines,*items.adjustments,*shipping_methods,*shipping_methods.tax_lines,*promotions"


@pytest.mark.parametrize("case", [*sampled(TAXED, every=8), *EXEMPT])
def test_a_cart_and_its_order_cost_what_the_case_says(case: Case, tmp_path: Path) -> None:
    ShopFiles(tmp_path).load(shop_of(case))
    store = storefront(publishable_key())
    if case["exempt"]:
        store = signed_in(Customer.objects.get())
    cart_id = filled_cart(store, case)
    cart = store.get(f"/store/carts/{cart_id}", CART).json()["cart"]
    check(cart, case)
    collection = done(store.post("/store/payment-collections", {"cart_id": cart_id}))["payment_collection"]
    sessions = f"/store/payment-collections/{collection['id']}/payment-sessions"
    if cart["total"]:
        done(store.post(sessions, {"provider_id": "pp_system_default"}))
    answer = done(store.post(f"/store/carts/{cart_id}/complete"))
    order = done(store.get(f"/store/orders/{answer['order']['id']}", CART))["order"]
    check(order, case)
    check_exemption(case)
    check_gift_cards(store, order["id"], case)


def check_exemption(case: Case) -> None:
    order = Order.objects.get()
    assert (order.is_tax_exempt, order.tax_number) == ((True, TAX_NUMBER) if case["exempt"] else (False, None))


def done(response: Any) -> dict[str, Any]:
    assert response.status_code == 200, response.content
    found: dict[str, Any] = response.json()
    return found


def filled_cart(store: Caller, case: Case) -> str:
    """A cart with the lines, codes and shipping of the case, that can be paid."""
    place, [region] = case["place"], done(store.get("/store/regions"))["regions"]
    address = {**ADDRESS, "country_code": place["country"], "province": place["province"]}
    body = {"region_id": region["id"], "email": EMAIL, "shipping_address": address}
    cart_id: str = done(store.post("/store/carts", {**body, "billing_address": address}))["cart"]["id"]
    products = done(store.get("/store/products", "fields=variants.id,variants.sku&limit=100"))["products"]
    variants = {each["sku"]: each["id"] for product in products for each in product["variants"]}
    for index, line in enumerate(case["lines"]):
        item = {"variant_id": variants[f"sku-{index}"], "quantity": line["quantity"]}
        done(store.post(f"/store/carts/{cart_id}/line-items", item))
    if case["promotions"]:
        codes = [f"P{index}" for index in range(len(case["promotions"]))]
        done(store.post(f"/store/carts/{cart_id}/promotions", {"promo_codes": codes}))
    [option] = done(store.get("/store/shipping-options", f"cart_id={cart_id}"))["shipping_options"]
    done(store.post(f"/store/carts/{cart_id}/shipping-methods", {"option_id": option["id"]}))
    return cart_id


def check(shown: dict[str, Any], case: Case) -> None:
    """The cart or order has the amounts that the case expects."""
    code, expected = case["currency"], case["expected"]
    assert written(shown, expected["cart"], code) == expected["cart"]
    by_title = {item["product_title"]: item for item in shown["items"]}
    for index, wanted in enumerate(expected["lines"]):
        item = by_title[f"Goods {index}"]
        amounts = {name: value for name, value in wanted.items() if isinstance(value, str)}
        assert written(item, amounts, code) == amounts
        assert taxes(item, code) == [*map(_tax, wanted["tax_lines"])]
        assert adjustments(item, code) == [
            (f"P{each['promotion']}", each["amount_as_stated"], case["lines"][index]["is_tax_inclusive"])
            for each in sorted(wanted["adjustments"], key=lambda each: int(each["promotion"]))
        ]
        refunds = {"refundable_total": wanted["total"], "refundable_total_per_unit": wanted["refunds"][0]}
        assert written(item, refunds, code) == refunds
    for method, wanted in zip(shown["shipping_methods"], expected["methods"], strict=False):
        amounts = {name: value for name, value in wanted.items() if isinstance(value, str)}
        assert written(method, amounts, code) == amounts
        assert taxes(method, code) == [*map(_tax, wanted["tax_lines"])]


def check_gift_cards(store: Caller, order_id: str, case: Case) -> None:
    """The paid order has a card of the expected value for each unit."""
    for payment in Payment.objects.all():
        capturing.capture(actor=SYSTEM, payment_id=payment.pk)
    shown = done(store.get(f"/store/orders/{order_id}"))["order"]["items"]
    by_title = {item["product_title"]: [card["value"] for card in item["gift_cards"]] for item in shown}
    for index, wanted in enumerate(case["expected"]["lines"]):
        value, units = wanted.get("gift_card_values", ("0", 0))
        assert by_title[f"Goods {index}"] == [float(value)] * units
    assert list(discrepancies()) == []


def written(shown: dict[str, Any], names: dict[str, Any], code: str) -> dict[str, str]:
    """The amounts of these names, as cases write them."""
    return {name: f"{shown[name]:.{money.digits(code)}f}" for name in names}


def taxes(item: dict[str, Any], code: str) -> list[dict[str, Any]]:
    amounts = {"total": 0, "subtotal": 0}
    return [{"code": tax["code"], "rate": tax["rate"], **written(tax, amounts, code)} for tax in item["tax_lines"]]


def _tax(expected: dict[str, str]) -> dict[str, Any]:
    return {**expected, "rate": float(expected["rate"])}


def adjustments(item: dict[str, Any], code: str) -> list[tuple[str, str, bool]]:
    found = [
        (each["code"], written(each, {"amount": 0}, code)["amount"], each["is_tax_inclusive"])
        for each in item["adjustments"]
    ]
    return sorted(found)
