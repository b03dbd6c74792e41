"""How many SQL statements a change of a cart costs: as many for a hundred lines as for five."""

from typing import Any

import pytest

from carts.lines.lines import NewLineItem
from carts.models import Cart
from tests.architecture.test_query_budgets import statements, store
from tests.contract.callers import Caller
from tests.factories import carts as make

pytestmark = pytest.mark.django_db


def change(caller: Caller, method: str, path: str, body: Any) -> int:
    """How many statements it takes, the answer's own among them."""
    with statements() as texts:
        response = caller.send(method, path, body)
    assert response.status_code == 200, response.content
    return len(texts)


def costs(lines: int) -> dict[str, int]:
    """The statements of each change of a cart with so many lines, with an address and a promotion."""
    caller, region = store(), make.selling_region(tax_rate=5)
    make.PromotionFactory(code=f"SAVE{lines}", products=[])
    variants = [make.sold_variant(3, in_stock=10) for _ in range(lines)]
    address = {"country_code": "us", "province": "ny"}
    cart = make.cart(*variants, region_id=region.pk, shipping_address=address, promo_codes=[f"SAVE{lines}"])
    path, first = f"/store/carts/{cart.pk}", cart.items.order_by("pk")[0].pk
    pieces = [{"variant_id": variant.pk, "quantity": 1} for variant in variants]
    one = {"variant_id": make.sold_variant(4, in_stock=9).pk, "quantity": 1}
    return {
        "read": change(caller, "GET", path, b""),
        "create": change(caller, "POST", "/store/carts", {"region_id": region.pk, "items": pieces}),
        "add": change(caller, "POST", f"{path}/line-items", one),
        "change": change(caller, "POST", f"{path}/line-items/{first}", {"quantity": 2}),
        "remove": change(caller, "DELETE", f"{path}/line-items/{first}", b""),
        "address": change(caller, "POST", path, {"shipping_address": {"country_code": "us"}}),
        "codes": change(caller, "POST", path, {"promo_codes": []}),
    }


def test_a_change_costs_as_many_statements_for_a_hundred_lines_as_for_five() -> None:
    few, many = costs(5), costs(100)
    assert few == many
    assert few == {"read": 11, "create": 19, "add": 28, "change": 26, "remove": 25, "address": 25, "codes": 25}


def test_adding_to_a_plain_cart_and_making_one() -> None:
    caller, region = store(), make.selling_region(tax_rate=5)
    mug, tea = make.sold_variant(10, in_stock=9), make.sold_variant(4, in_stock=9)
    cart = make.cart(mug, region_id=region.pk)
    pieces = [{"variant_id": each.pk, "quantity": 1} for each in (mug, tea)]
    assert change(caller, "POST", f"/store/carts/{cart.pk}/line-items", pieces[1]) == 22
    assert change(caller, "POST", "/store/carts", {"region_id": region.pk, "items": pieces}) == 19


def test_a_change_of_nothing_writes_nothing() -> None:
    cart = make.cart(NewLineItem(make.sold_variant(10).pk, 2))
    before = Cart.objects.values().get(pk=cart.pk)
    caller = store()
    with statements() as texts:
        assert caller.post(f"/store/carts/{cart.pk}/taxes").status_code == 200
    assert [text for text in texts if text.startswith(("INSERT", "UPDATE", "DELETE"))] == []
    assert Cart.objects.values().get(pk=cart.pk) == before
