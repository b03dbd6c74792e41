"""A new cart with what can still be bought of an order, over HTTP."""

from typing import Any

import pytest

from carts.lines.lines import NewLineItem
from carts.models import Cart
from catalog.models import InventoryLevel
from customers.models import Customer
from kit.safety.throttling import counters
from kit.values.timestamps import now
from orders.api.added_rows import reordered_lines
from orders.changes.added_lines import NewItem
from orders.exchanges import exchanging
from orders.exchanges.written_off import ClaimedUnits
from orders.models import Order
from orders.states import ClaimReason, ClaimType
from shop.models import Country, Region
from tests.contract.callers import Caller, refusal
from tests.factories import carts as make
from tests.factories.checkout import ADDRESS, ready_cart
from tests.factories.inventory import count_stock
from tests.kit.graphql.calls import ask, data
from tests.orders.changes.shop import goods, line
from tests.orders.exchanges.shop import delivered_a, exchanged
from tests.orders.fulfillments.shop import STAFF
from tests.orders.placed import GUEST, placed

pytestmark = pytest.mark.django_db


def again(caller: Caller, order: Order) -> Any:
    answer = caller.post(f"/store/orders/{order.pk}/reorder")
    assert answer.status_code == 200, answer.content
    return answer.json()


def test_a_guest_orders_again_at_today_s_prices(guest: Caller) -> None:
    mug = make.sold_variant(10, in_stock=9)
    order = placed(NewLineItem(mug.pk, 2, {"text": "Ann"}))
    mug.price_set.prices.update(amount=12)
    made = again(guest, order)
    cart = made["cart"]
    assert made["left_out"] == []
    assert [(each["variant_id"], each["quantity"], each["metadata"]) for each in cart["items"]] == [
        (mug.pk, 2, {"text": "Ann"})
    ]
    assert (cart["total"], cart["email"], cart["region_id"]) == (24, GUEST, order.region_id)
    assert guest.get(f"/store/carts/{cart['id']}").json()["cart"]["total"] == 24


def test_what_cannot_be_bought_is_named(guest: Caller) -> None:
    few, unsold, unpriced, tee = (make.sold_variant(10, in_stock=5) for _ in range(4))
    order = placed(NewLineItem(few.pk, 4), unsold, unpriced, tee)
    unsold.product.sales_channels.clear()
    unpriced.price_set.prices.all().delete()
    count_stock(3, InventoryLevel.objects.filter(inventory_item__variant_links__variant=few))
    made = again(guest, order)
    assert [each["variant_id"] for each in made["cart"]["items"]] == [tee.pk]
    assert made["cart"]["total"] == 10
    line = {line.variant_id: line.pk for line in order.items.all()}
    assert made["left_out"] == [
        {
            "id": line[few.pk],
            "title": make.title_of(few),
            "quantity": 4,
            "reason": "out_of_stock",
            "message": f"Not enough stock available for {make.title_of(few)}",
        },
        {
            "id": line[unsold.pk],
            "title": make.title_of(unsold),
            "quantity": 1,
            "reason": "not_sold",
            "message": f"{make.title_of(unsold)} is no longer sold",
        },
        {
            "id": line[unpriced.pk],
            "title": make.title_of(unpriced),
            "quantity": 1,
            "reason": "no_price",
            "message": f"No price in this quantity and region for {make.title_of(unpriced)}",
        },
    ]


def test_it_has_the_addresses_of_the_order(guest: Caller) -> None:
    order = placed(cart=ready_cart())
    cart = again(guest, order)["cart"]
    for name in ("shipping_address", "billing_address"):
        assert {key: cart[name][key] for key in ADDRESS} == ADDRESS
    assert (cart["shipping_methods"], cart["total"]) == ([], 50)
    Country.objects.filter(pk="us").update(region=make.selling_region(countries=["ca"]))
    assert again(guest, order)["cart"]["shipping_address"] is None


def test_a_customer_s_order_is_theirs_alone(ann: Customer, by_ann: Caller, by_bob: Caller, guest: Caller) -> None:
    order = placed(customer=ann)
    cart = again(by_ann, order)["cart"]
    assert (cart["customer_id"], cart["email"]) == (ann.pk, ann.email)
    for caller in (by_bob, guest):
        assert refusal(caller.post(f"/store/orders/{order.pk}/reorder")) == (
            404,
            f"Order with id: {order.pk} was not found",
        )
    assert Cart.objects.count() == 2


def test_a_region_that_is_gone_refuses(guest: Caller) -> None:
    order = placed()
    Region.objects.filter(pk=order.region_id).update(deleted_at=now())
    status, message = refusal(guest.post(f"/store/orders/{order.pk}/reorder"))
    assert (status, str(order.region_id) in message) == (400, True)


def test_graphql_orders_again(guest: Caller) -> None:
    mug, unsold = make.sold_variant(10), make.sold_variant(10)
    order = placed(mug, unsold)
    unsold.product.sales_channels.clear()
    asked = "made: cart { total items { quantity } } leftOut { why: reason title }"
    assert data(ask(guest, f'mutation {{ reorder(id: "{order.pk}") {{ {asked} }} }}'))["reorder"] == {
        "made": {"total": 10, "items": [{"quantity": 1}]},
        "leftOut": [{"why": "not_sold", "title": make.title_of(unsold)}],
    }


def test_lines_that_share_stock_take_it_in_their_order(guest: Caller) -> None:
    mug = make.sold_variant(10, in_stock=2)
    order = placed(NewLineItem(mug.pk, 1, {"text": "Ann"}), NewLineItem(mug.pk, 1, {"text": "Bob"}))
    count_stock(1, InventoryLevel.objects.filter(inventory_item__variant_links__variant=mug))
    made = again(guest, order)
    assert [each["metadata"] for each in made["cart"]["items"]] == [{"text": "Ann"}]
    assert [(each["quantity"], each["reason"]) for each in made["left_out"]] == [(1, "out_of_stock")]


def test_what_was_exchanged_is_bought_as_it_was_sent_and_a_replacement_once(guest: Caller) -> None:
    """Of 2 mugs and a tee, a mug is exchanged for a lamp, and the tee replaced."""
    order, lamp = delivered_a(), goods("lamp", 25)
    exchanged(order, lamp)
    tee = line(order, "tee")
    claimed = [ClaimedUnits(tee.pk, 1, ClaimReason.MISSING_ITEM)]
    exchanging.claim(
        actor=STAFF,
        order_id=order.pk,
        claim_type=ClaimType.REPLACE,
        claimed=claimed,
        added=[NewItem(str(tee.variant_id), 1)],
    )
    made = again(guest, order)
    assert {each["title"]: each["quantity"] for each in made["cart"]["items"]} == {"mug": 1, "tee": 1, "lamp": 1}


def test_the_lines_that_it_stores_are_counted_beforehand() -> None:
    order = placed(NewLineItem(make.sold_variant(10).pk, 1, {"text": "x" * 2048}), make.sold_variant(10))
    assert reordered_lines({"id": order.pk}) == {"new_carts": 1, "new_lines": 2, "stored_kib": 2}
    for unknown in ("order_1", "\0", None, 1, [1], {}):
        assert reordered_lines({"id": unknown}) == {"new_carts": 1, "new_lines": 0, "stored_kib": 0}


@pytest.mark.parametrize("is_graphql", [False, True])
def test_rest_and_graphql_count_them(guest: Caller, is_graphql: bool) -> None:
    order = placed(make.sold_variant(10), make.sold_variant(10))
    hits: list[Any] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counters, "hit_each", lambda _, amounts: hits.append(amounts))
        if is_graphql:
            ask(guest, f'mutation {{ reorder(id: "{order.pk}") {{ cart {{ id }} }} }}')
        else:
            again(guest, order)
    assert [(each["new_carts"], each["new_lines"]) for each in hits if "new_carts" in each] == [(1, 2)]
