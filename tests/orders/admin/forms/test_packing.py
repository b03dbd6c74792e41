"""The form that packs an order."""

import pytest
from django.test import Client

from carts.lines.lines import NewLineItem
from catalog.stock.stock_claims import LineClaim, claim_stock
from orders.admin.actions import action_url
from orders.models import Fulfillment, OrderLineItem
from tests.architecture.test_query_budgets import statements
from tests.factories.carts import sold_variant
from tests.factories.checkout import checked_out_cart
from tests.factories.inventory import StockLocationFactory, stock
from tests.factories.orders import order as placed_order
from tests.orders.admin.forms.desk import act, changed, desk, filled, history, page, refusal, refused, send
from tests.orders.fulfillments.shop import books, kit_of, lines
from tests.orders.managing.shop import statuses
from tests.orders.returns.shop import paid

pytestmark = [pytest.mark.once, pytest.mark.django_db]


def test_it_proposes_all_that_remain_and_packs_them_once() -> None:
    client, user = desk()
    order = paid()
    text = page(client, order, "pack")
    assert "5 of 5 to pack, reserved: 5 in Warehouse" in text
    assert "Takes 5 x Item" in text
    assert "The parcel goes to Ann Lee, 1 Elm, New York, United States, unless you enter another address." in text
    form = filled(client, order, "pack")
    assert form[f"units_{lines(order)[0].pk}"] == ["5"]
    message = send(client, order, "pack", "", form)
    assert message.startswith("Packed 5 units from Warehouse")
    assert books(order).counters == [(5, 0, 0)]
    assert books(order).stock == [(5, 0)]
    assert send(client, order, "pack", "", form) == message
    assert Fulfillment.objects.count() == 1
    assert history(order) == [(user.email, message)]


def test_a_parcel_goes_to_another_address_of_the_same_country() -> None:
    client, _ = desk()
    order = paid()
    act(client, order, "pack", to_first_name="Bea", to_address_1="2 Oak", to_city="Boston")
    made = Fulfillment.objects.get()
    address, own = made.delivery_address, order.shipping_address
    assert address is not None
    assert own is not None
    texts = (address.first_name, address.last_name, address.address_1, address.city, address.country_code)
    assert texts == ("Bea", None, "2 Oak", "Boston", "us")
    own.refresh_from_db()
    assert (own.first_name, own.address_1) == ("Ann", "1 Elm")
    assert "as shipped to Bea, 2 Oak, Boston, United States." in page(client, order, "ship", made.pk)


NAMELESS = ["Enter a name or a company."]
REQUIRED = ["This field is required."]
OAK = {"to_company": "Tea", "to_address_1": "2 Oak", "to_city": "Boston"}


@pytest.mark.parametrize(
    ("given", "errors"),
    [
        (
            {"to_phone": "555"},
            {"to_first_name": NAMELESS, "to_address_1": REQUIRED, "to_city": REQUIRED},
        ),
        ({**OAK, "to_city": " "}, {"to_city": REQUIRED}),
        ({**OAK, "to_company": ""}, {"to_first_name": NAMELESS}),
    ],
    ids=["phone", "no city", "no name"],
)
def test_another_address_is_complete(given: dict[str, str], errors: dict[str, list[str]]) -> None:
    client, _ = desk()
    order = paid()
    response = client.post(action_url(order.pk, "pack"), filled(client, order, "pack", **given))
    assert response.context["form"].errors == errors
    assert Fulfillment.objects.count() == 0
    act(client, order, "pack", **OAK, to_province="us-ma")
    address = Fulfillment.objects.get().delivery_address
    assert address is not None
    assert (address.company, address.province) == ("Tea", "us-ma")


def test_what_does_not_ship_has_no_address() -> None:
    client, _ = desk()
    order = paid()
    order.items.update(requires_shipping=False)
    assert "Another delivery address" not in page(client, order, "pack")


def test_units_come_from_the_chosen_location() -> None:
    client, _ = desk()
    berlin, leipzig = StockLocationFactory(name="Berlin"), StockLocationFactory(name="Leipzig")
    tea = sold_variant(10, in_stock=0)
    item = tea.inventory_links.get().inventory_item
    item.levels.all().delete()
    for place, number in ((berlin, 2), (leipzig, 4)):
        stock(tea, number, location=place, item=item)
    order = paid((tea, 6))
    (line,) = lines(order)
    units = f"units_{line.pk}"
    assert "6 of 6 to pack, reserved: 2 in Berlin, 4 in Leipzig" in page(client, order, "pack")
    form = filled(client, order, "pack")
    assert (form[units], form["location"]) == (["4"], [leipzig.pk])
    for place, number, error in (
        (berlin, 3, "Only 2 are reserved in Berlin."),
        (leipzig, 5, "Only 4 are reserved in Leipzig."),
        (leipzig, 7, "Only 6 are left to pack."),
    ):
        assert refused(client, order, "pack", **{units: str(number), "location": place.pk}) == [error]
    assert act(client, order, "pack", **{units: "1", "location": berlin.pk}) == "Packed 1 unit from Berlin."
    assert act(client, order, "pack") == "Packed 4 units from Leipzig."
    assert "1 of 6 to pack, reserved: 1 in Berlin" in page(client, order, "pack")


def test_a_kit_takes_its_items() -> None:
    client, _ = desk()
    order = paid((kit_of((2, 9), (1, 5), location=StockLocationFactory(name="Berlin")), 4))
    text = page(client, order, "pack")
    assert "4 of 4 to pack, reserved: 4 in Berlin" in text
    assert "Takes 8 x " in text
    assert " and 4 x " in text
    assert act(client, order, "pack") == "Packed 4 units from Berlin."


def test_what_ships_and_what_does_not_are_packed_separately() -> None:
    client, _ = desk()
    order = paid((sold_variant(10, in_stock=5), 2), (sold_variant(20), 1))
    goods, ticket = lines(order)
    OrderLineItem.objects.filter(pk=ticket.pk).update(requires_shipping=False)
    form = filled(client, order, "pack")
    assert (form[f"units_{goods.pk}"], form[f"units_{ticket.pk}"]) == (["2"], ["0"])
    both = changed(form, **{f"units_{ticket.pk}": "1"})
    assert refusal(client, order, "pack", "", both) == [
        "Items that ship and items that do not must be packed separately. Set one kind to 0."
    ]
    send(client, order, "pack", "", form)
    assert "1 of 1 to pack, not taken from stock, does not ship" in page(client, order, "pack")
    assert act(client, order, "pack") == "Packed 1 unit."


def test_wrong_numbers_are_refused_at_their_field() -> None:
    client, _ = desk()
    order = paid()
    units = f"units_{lines(order)[0].pk}"
    for number, errors in (
        ("0", ["Enter how many units to pack."]),
        ("", ["Enter how many units to pack."]),
        ("-1", ["Ensure this value is greater than or equal to 0."]),
        ("1.5", ["Enter a whole number."]),
        ("many", ["Enter a number."]),
    ):
        assert refused(client, order, "pack", **{units: number}) == errors, number
    assert refused(client, order, "pack", location="sloc_none") == [
        "Select a valid choice. sloc_none is not one of the available choices."
    ]
    assert refused(client, order, "pack", ticket="none") == ["Enter a valid value."]
    assert books(order).counters == [(0, 0, 0)]


def test_two_staff_pack_the_same_units() -> None:
    ann, bob = desk(), desk()
    order = paid()
    units = f"units_{lines(order)[0].pk}"
    early = filled(bob[0], order, "pack", **{units: "3"})
    act(ann[0], order, "pack", **{units: "3"})
    response = bob[0].post(action_url(order.pk, "pack"), early)
    form = response.context["form"]
    [error] = form.non_field_errors()
    assert error.startswith(f"Nothing was done: this order was changed by {ann[1].email} at ")
    assert error.endswith("It is now pending, payment captured, partially fulfilled.")
    assert form.errors[units] == ["Only 2 are left to pack."]
    assert form[units].value() == "3"
    again = changed(early, shown_state=form["shown_state"].value(), **{units: "2"})
    assert send(bob[0], order, "pack", "", again).startswith("Packed 2 units")
    assert books(order).counters == [(5, 0, 0)]


def test_one_cancels_while_another_packs() -> None:
    ann, bob = desk(), desk()
    order = paid()
    early = filled(bob[0], order, "pack")
    act(ann[0], order, "cancel")
    response = bob[0].post(action_url(order.pk, "pack"), early)
    [error] = response.context["form"].non_field_errors()
    assert f"changed by {ann[1].email}" in error
    assert "It is now canceled, payment " in error
    assert not response.context["can_submit"]
    again = changed(early, shown_state=response.context["form"]["shown_state"].value())
    [error] = refusal(bob[0], order, "pack", "", again)
    assert error.startswith("The order's state no longer allows this: it is canceled, payment ")
    assert Fulfillment.objects.count() == 0
    assert statuses(order)[0] == "canceled"


def test_a_used_form_with_other_values_is_refused() -> None:
    client, _ = desk()
    order = paid()
    units = f"units_{lines(order)[0].pk}"
    form = filled(client, order, "pack", **{units: "2"})
    send(client, order, "pack", "", form)
    errors = refusal(client, order, "pack", "", changed(form, **{units: "3"}))
    assert "This form has already been submitted with other values. Open it again to make another change." in errors
    assert books(order).counters == [(2, 0, 0)]


def test_an_order_that_cannot_be_packed_says_so() -> None:
    client, _ = desk()
    order = paid()
    act(client, order, "pack")
    response = client.get(action_url(order.pk, "pack"), follow=True)
    *_, message = response.context["messages"]
    assert str(message) == "Pack: the order's state no longer allows this."


def test_packing_costs_as_many_statements_for_a_hundred_lines_as_for_two() -> None:
    client, _ = desk()
    cost(client, 1)
    assert cost(client, 2) == cost(client, 100) == (7, 28)


def cost(client: Client, number: int) -> tuple[int, int]:
    """The statements of showing the form of so many kits, and of packing them."""
    kit = kit_of((2, 200), (1, 100), location=StockLocationFactory())
    made = placed_order(cart=checked_out_cart(*(NewLineItem(kit.pk, 1, {"number": each}) for each in range(number))))
    claim_stock([LineClaim(line.pk, kit.pk, 1) for line in lines(made)], made.sales_channel_id)
    form = filled(client, made, "pack")
    with statements() as shown:
        client.get(action_url(made.pk, "pack"))
    with statements() as packed:
        assert client.post(action_url(made.pk, "pack"), form).status_code == 302
    return len(shown), len(packed)


def test_a_form_of_a_thousand_lines_can_be_sent() -> None:
    """The form that receives a return has two fields for each line."""
    client, _ = desk()
    order = paid()
    form = {**filled(client, order, "pack"), **{f"other_{number}": "1" for number in range(2100)}}
    assert send(client, order, "pack", "", form).startswith("Packed 5 units")
