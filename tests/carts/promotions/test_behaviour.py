"""What shoppers see of promotions while other things change: their group, a category, the promotion itself."""

from typing import Any

import pytest

from carts.models import Promotion
from catalog.models import ProductCategory
from tests.carts.promotions.stored_cases import done
from tests.contract.callers import Caller
from tests.contract.conftest import admin, store
from tests.customers.conftest import signed_in
from tests.factories.carts import cart, sold_variant
from tests.factories.checkout import ready_cart
from tests.factories.customers import CustomerFactory, CustomerGroupFactory
from tests.factories.products import ProductFactory
from tests.orders.completing import order_of

pytestmark = pytest.mark.django_db

__all__ = ["admin", "store"]
ORDER = {"type": "percentage", "value": 10, "target_type": "order"}
ITEMS = {"type": "percentage", "value": 10, "target_type": "items", "allocation": "each"}


def promotion(admin: Caller, **body: Any) -> str:
    made = admin.post("/admin/promotions", {"code": "SAVE", "type": "standard", "status": "active", **body})
    key: str = done(made)["promotion"]["id"]
    return key


def category(key: str, above: str | None = None) -> ProductCategory:
    path = f"{above}.{key}" if above else key
    made: ProductCategory = ProductCategory.objects.create(
        id=key, name=key, handle=key, path=path, parent_category_id=above, rank=0, is_visible=True
    )
    return made


def test_a_members_code_waits_for_the_guest_to_sign_in(admin: Caller, store: Caller) -> None:
    group, member, other = CustomerGroupFactory(), CustomerFactory(), CustomerFactory()
    member.groups.add(group)
    rule = {"attribute": "customer.groups.id", "operator": "in", "values": [group.pk]}
    promotion(admin, application_method=ORDER, rules=[rule])
    for customer, total, reasons in ((other, 100, ["not_for_customer"]), (member, 90, [])):
        path = f"/store/carts/{cart(sold_variant(100)).pk}"
        seen = done(store.post(f"{path}/promotions", {"promo_codes": ["save"]}))["cart"]
        assert [each["reason"] for each in seen["skipped_promo_codes"]] == ["not_for_customer"]
        seen = done(signed_in(customer).post(f"{path}/customer"))["cart"]
        assert ([each["reason"] for each in seen["skipped_promo_codes"]], seen["total"]) == (reasons, total)


def test_a_category_that_moves_brings_its_goods_into_the_promotion(admin: Caller, store: Caller) -> None:
    category("pcat_tea")
    green = category("pcat_green")
    rule = {"attribute": "items.product.categories.id", "operator": "in", "values": ["pcat_tea"]}
    key = promotion(admin, application_method={**ITEMS, "target_rules": [rule]}, is_automatic=True)
    made = cart(sold_variant(100, product=ProductFactory(categories=[green])))
    written = Promotion.objects.get(pk=key).updated_at
    for above, total in (("pcat_tea", 90), (None, 100)):
        done(admin.post("/admin/product-categories/pcat_green", {"parent_category_id": above}))
        assert done(store.post(f"/store/carts/{made.pk}", {"locale": "en"}))["cart"]["total"] == total
    assert Promotion.objects.get(pk=key).updated_at == written


def codes(cart: dict[str, Any]) -> tuple[list[str], list[str]]:
    """What takes something off, and what waits."""
    return [each["code"] for each in cart["promotions"]], [each["code"] for each in cart["skipped_promo_codes"]]


def test_a_code_that_waits_stays_while_a_storefront_sends_the_codes_that_apply(admin: Caller, store: Caller) -> None:
    """Storefronts send the codes in `promotions`, with another one or without one of them."""
    five = {"attribute": "item_quantity", "operator": "gte", "values": ["5"]}
    promotion(admin, code="FIVE", application_method=ORDER, rules=[five])
    for code in ("A", "B", "C"):
        promotion(admin, code=code, application_method=ORDER)
    made = cart(sold_variant(100))
    path = f"/store/carts/{made.pk}"
    for sent, applied in ((["five"], []), (["A"], ["A"]), (["A", "B"], ["A", "B"]), (["B"], ["B"]), (["C"], ["C"])):
        assert codes(done(store.post(path, {"promo_codes": sent}))["cart"]) == (applied, ["five"])
    line = f"{path}/line-items/{made.items.get().pk}"
    assert codes(done(store.post(line, {"quantity": 5}))["cart"]) == (["five", "C"], [])
    assert codes(done(store.post(line, {"quantity": 1}))["cart"]) == (["C"], ["five"])
    assert codes(done(store.post(path, {"promo_codes": ["C"]}))["cart"]) == (["C"], ["five"])  # sent twice
    assert codes(done(store.post(path, {"promo_codes": []}))["cart"]) == ([], [])


def test_a_list_that_names_a_code_that_waits_is_the_whole_list(admin: Caller, store: Caller) -> None:
    for code, least in (("FIVE", "5"), ("SIX", "6")):
        rule = {"attribute": "item_quantity", "operator": "gte", "values": [least]}
        promotion(admin, code=code, application_method=ORDER, rules=[rule])
    promotion(admin, code="A", application_method=ORDER)
    path = f"/store/carts/{cart(sold_variant(100), promo_codes=['A', 'FIVE', 'SIX']).pk}"
    assert codes(done(store.post(path, {"promo_codes": ["A", "SIX"]}))["cart"]) == (["A"], ["SIX"])


def test_the_code_of_an_automatic_promotion_refuses_no_list(admin: Caller, store: Caller) -> None:
    """Storefronts send all codes of `promotions`; this one ends meanwhile."""
    sale = promotion(admin, code="SALE", is_automatic=True, application_method=ORDER)
    for code in ("A", "WELCOME"):
        promotion(admin, code=code, application_method=ORDER)
    five = {"attribute": "item_quantity", "operator": "gte", "values": ["5"]}
    promotion(admin, code="FIVE", application_method=ORDER, rules=[five])
    path = f"/store/carts/{cart(sold_variant(100), promo_codes=['A', 'FIVE']).pk}"
    assert codes(done(store.post(path, {"promo_codes": ["SALE"]}))["cart"]) == (["SALE"], ["FIVE"])
    done(admin.post(f"/admin/promotions/{sale}", {"status": "inactive"}))
    answer = done(store.post(path, {"promo_codes": ["SALE", "WELCOME"]}))["cart"]
    assert codes(answer) == (["WELCOME"], ["FIVE"])


def test_codes_that_wait_leave_a_cart_that_is_given_ten_others(admin: Caller, store: Caller) -> None:
    two = {"attribute": "item_quantity", "operator": "gte", "values": ["2"]}
    promotion(admin, code="TWO", application_method=ORDER, rules=[two])
    for number in range(10):
        promotion(admin, code=f"N{number}", application_method={**ORDER, "value": 1})
    path = f"/store/carts/{cart(sold_variant(100), promo_codes=['TWO']).pk}"
    for most, waiting in ((9, ["TWO"]), (10, [])):
        sent = [f"N{number}" for number in range(most)]
        assert codes(done(store.post(path, {"promo_codes": sent}))["cart"]) == (sent, waiting)


def test_an_ended_code_of_the_cart_does_not_refuse_another(admin: Caller, store: Caller) -> None:
    key = promotion(admin, code="A", application_method=ORDER)
    promotion(admin, code="B", application_method=ORDER)
    path = f"/store/carts/{cart(sold_variant(100), promo_codes=['A']).pk}"
    done(admin.post(f"/admin/promotions/{key}", {"status": "inactive"}))
    assert store.post(path, {"promo_codes": ["A", "NONE"]}).status_code == 400
    assert codes(done(store.post(path, {"promo_codes": ["A", "B"]}))["cart"]) == (["B"], [])
    assert store.post(path, {"promo_codes": ["A", "B"]}).status_code == 400


@pytest.mark.django_db(transaction=True)
def test_an_order_stays_as_it_is_whatever_becomes_of_its_promotion(admin: Caller, store: Caller) -> None:
    key = promotion(admin, application_method={**ITEMS, "max_quantity": 1})
    order = order_of(ready_cart(sold_variant(30), promo_codes=["save"]))
    path = f"/store/orders/{order.pk}"
    before = store.get(path).content
    assert b'"discount_total":3,' in before
    changes = {"application_method": {"value": 50, "max_quantity": None}, "code": "OTHER", "status": "inactive"}
    done(admin.post(f"/admin/promotions/{key}", changes))
    assert store.get(path).content == before
    done(admin.send("DELETE", f"/admin/promotions/{key}"))
    assert store.get(path).content == before
