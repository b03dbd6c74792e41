"""The page of one order."""

import re
from datetime import UTC, datetime
from typing import Any

import pytest
from django.contrib.admin.utils import quote
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.html import strip_tags
from django.utils.timezone import override

from giftcards.codes import masked
from kit.values.shown_dates import shown_moment
from orders.managing import cancellation, details
from orders.models import Order, OrderLineItem
from staff.models import User
from tests.factories.actors import staff_actor
from tests.factories.carts import sold_variant
from tests.factories.orders import order
from tests.factories.products import ProductFactory
from tests.kit.admin.visits import superuser, visitor
from tests.orders.admin.forms.desk import act, desk
from tests.orders.admin.shop import example_order
from tests.orders.fulfillments.shop import ordered
from tests.orders.fulfillments.shop import pack as packed
from tests.orders.returns.shop import delivered, paid, receive, request

pytestmark = [pytest.mark.once, pytest.mark.django_db]


def page(client: Client, placed: Order) -> Any:
    response = client.get(f"/admin/orders/order/{quote(placed.pk)}/change/")
    assert response.status_code == 200
    return response.context


def timeline(context: Any) -> list[tuple[str, str]]:
    """What happened and who did it, the newest first."""
    return [(strip_tags(entry.what), entry.by) for entry in context["timeline"]]


def tables(context: Any) -> dict[str, list[list[str]]]:
    """The cells of each table, as text."""
    shown = [context["items"], *context["tables"]]
    return {
        table.title: [[" ".join(strip_tags(cell.replace("<", " <")).split()) for cell in row] for row in table.cells]
        for table in shown
    }


def ann() -> User:
    return User.objects.create_superuser("ann@shop.example", first_name="Ann", last_name="Moss")


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_it_says_what_to_whom_paid_how_and_what_happened_when_and_by_whom() -> None:
    user = ann()
    example = example_order(user)
    context = page(signed_in(user), example.order)
    code, when = masked(example.card.code), shown_moment(example.order.created_at)
    assert [(name, strip_tags(amount)) for name, amount in context["figures"]] == [
        ("Total with tax", "$60.00"), ("Captured", "$80.00"), ("Refunded", "$20.00"), ("Due", "Nothing")
    ]  # fmt: skip
    assert [name for _, name, _ in context["statuses"]] == ["Pending", "Partially refunded", "Partially delivered"]
    assert context["tasks"] == [("To ship", "info"), ("Invoice waits", "info")]
    assert strip_tags(context["customer"]) == "Zoe Kent"
    assert context["addresses"] == [
        ("Shipping address", ["Ann Lee", "1 Elm", "10001 New York", "United States"]),
        ("Billing address", ["Same as the shipping address"]),
    ]
    assert [(strip_tags(each.meaning), strip_tags(each.amount)) for each in context["sums"]] == [
        ("Items without tax", "$70.00"),
        (f"Shipping ({example.order.shipping_methods.get().name}) without tax", "$5.00"),
        ("Taxes", "$0.00"),
        (f"Gift card {code}", "-$15.00"),
        ("Total with tax", "$60.00"),
        ("Total with tax as placed", "$80.00"),
    ]
    shown = tables(context)
    places = [row.location.name for row in example.order.fulfillments.select_related("location").order_by("created_at")]
    documents = "Packing list Delivery note"
    assert shown == {
        "Items": [
            ["Mug Blue", "MUG-BLUE", "3", "$20.00", "–", "$40.00", "3 packed 3 shipped 3 delivered 1 returned 2 kept"],  # noqa: RUF001
            ["Pot Large", "POT-L", "1", "$30.00", "–", "$30.00", "1 packed"],  # noqa: RUF001
        ],
        "Payment": [
            ["System default", "$80.00", "$80.00", "$20.00", when, ""],
            [f"Gift card {code}", "–", "$15.00", "–", when, ""],  # noqa: RUF001
        ],
        "Refunds": [["$20.00", "Return 1 By phone", "System default: $20.00", "Ann Moss", when]],
        "Fulfillments": [
            ["Packed Parcel 2", f"{places[1]} Manual", "1 x Pot (Large)", "–", "Packed: Ann Moss", f"local_shipping Ship where_to_vote Mark as delivered unarchive Unpack {documents}"],  # noqa: RUF001, E501
            ["Delivered Parcel 1", f"{places[0]} Manual", "3 x Mug (Blue)", "1Z999", "Packed: Ann Moss Shipped: Ann Moss Delivered: Ann Moss", documents],  # noqa: E501
        ],
        "Returns": [["Return 1 Received", "1 x Mug (Blue), Too small, 1 received", "Box is torn", f"{when} by Ann Moss", "$20.00", ""]],  # noqa: E501
    }  # fmt: skip
    assert [(note.text, author) for note, _, author in context["notes"]] == [("Calls on Fridays only", "Ann Moss")]
    assert timeline(context) == [
        ("Note: Calls on Fridays only", "Ann Moss"),
        ("Email “order refunded” waiting", ""),
        ("$20.00 refunded: Return 1 (System default: $20.00)", "Ann Moss"),
        ("Email “return received” waiting", ""),
        ("Return 1 received", "Ann Moss"),
        ("Email “return requested” waiting", ""),
        ("Return 1 requested", "Ann Moss"),
        ("Packed 1 x Pot (Large)", "Ann Moss"),
        ("Delivered 3 x Mug (Blue)", "Ann Moss"),
        ("Email “order shipped” waiting", ""),
        ("Shipped 3 x Mug (Blue)", "Ann Moss"),
        ("Packed 3 x Mug (Blue)", "Ann Moss"),
        ("$80.00 captured by System default", ""),
        ("Email “order placed” waiting", ""),
        ("Placed", "Customer"),
        ("$80.00 authorized by System default", ""),
    ]


def test_a_button_is_highlighted_only_for_an_open_task() -> None:
    def highlighted(placed: Order) -> list[str]:
        page = superuser().get(f"/admin/orders/order/{quote(placed.pk)}/change/").content.decode()
        return re.findall(r'class="button  needed".*?</span>(.*?)</a>', page)

    assert highlighted(ordered()) == ["Pack", "Capture"]
    assert highlighted(delivered()) == []


def test_the_one_parcel_payment_or_return_that_needs_work_has_a_button_at_the_top() -> None:
    def at_the_top(placed: Order) -> list[str]:
        context = page(superuser(), placed)
        return [action.label for action in context["first_actions"] if action.name in context["needed"]]

    mug = sold_variant(10, in_stock=9)
    placed = paid((mug, 2), captured=False)
    assert at_the_top(placed) == ["Pack", "Capture"]
    packed(placed, 1)
    assert at_the_top(placed) == ["Pack", "Ship", "Capture"]
    packed(placed, 1)
    assert at_the_top(placed) == ["Capture"]  # which of two parcels is shipped, their table has to say
    requested = delivered((mug, 2))
    request(requested, 1)
    assert at_the_top(requested) == ["Receive return"]


def test_the_first_four_actions_are_buttons_and_the_others_a_menu() -> None:
    context = page(superuser(), ordered())
    assert context["customer"] == "Ann Lee (guest)"
    assert [action.name for action in context["first_actions"]] == ["pack", "capture", "edit", "note"]
    assert [action.name for action in context["more_actions"]] == ["change-details", "send-mail", "complete", "cancel"]


def test_what_staff_did_with_the_order_is_told_once() -> None:
    user = ann()
    placed = ordered((sold_variant(10, product=ProductFactory(title="Mug"), title="Blue", in_stock=9), 2))
    actor = staff_actor("orders.change_order", "orders.cancel_order", id=user.pk)
    details.change(actor=actor, order_id=placed.pk, email="zoe@example.com")
    packed(placed, 2, actor=staff_actor("orders.add_fulfillment", id=user.pk))
    cancellation.cancel(actor=actor, order_id=placed.pk)
    assert timeline(page(superuser(), placed))[:6] == [
        ("Canceled.", "Ann Moss"),
        ("Email “order canceled” waiting", ""),
        ("Unpacked 2 x Mug (Blue)", "Ann Moss"),
        ("Authorization released by System default", ""),
        ("Packed 2 x Mug (Blue)", "Ann Moss"),
        ("Changed email.", "Ann Moss"),
    ]


def test_what_staff_did_by_forms_is_told_once() -> None:
    client, user = desk()
    placed = paid((sold_variant(10, product=ProductFactory(title="Mug"), title="Blue", in_stock=9), 3))
    act(client, placed, "pack")
    parcel = placed.fulfillments.get()
    act(client, placed, "ship", parcel.pk, tracking_number_1="T-1")
    act(client, placed, "add-label", parcel.pk, tracking_number_1="T-2")
    act(client, placed, "deliver", parcel.pk)
    act(client, placed, "request-return", **{f"units_{placed.items.get().pk}": "2"})
    returned = placed.returns.get()
    receive(returned, 1)
    assert timeline(page(client, placed))[:2] == [
        ("Email “return received” waiting", ""),
        ("Return 1 received in part", "a former member of staff"),
    ]
    act(client, placed, "receive-return", returned.pk)
    act(client, placed, "refund", return_id=returned.pk)
    act(client, placed, "note", text="Calls on Fridays only")
    assert [what for what, by in timeline(page(client, placed)) if by == user.email] == [
        "Note: Calls on Fridays only",
        "$20.00 refunded: Return 1 (System default: $20.00)",
        "Received 1 undamaged unit of return 1.",
        "Return 1 requested",
        "Delivered 3 x Mug (Blue)",
        "Added 1 tracking number.",
        "Shipped 3 x Mug (Blue)",
        "Packed 3 x Mug (Blue)",
    ]


def test_a_user_sees_only_what_they_may_view() -> None:
    example = example_order(ann())
    context = page(visitor("orders.view_order"), example.order)
    shown = tables(context)
    assert list(shown) == ["Items", "Payment", "Refunds", "Fulfillments"]
    assert [row[0] for row in shown["Payment"]] == [f"Gift card {masked(example.card.code)}"]
    assert shown["Refunds"][0][:3] == ["$20.00", "Return By phone", "Payment: $20.00"]
    assert (context["notes"], context["first_actions"], context["more_actions"]) == ([], [], [])
    assert context["customer"] == "Zoe Kent"
    assert [what for what, _ in timeline(context)] == [
        "$20.00 refunded: Return (Payment: $20.00)",
        "Packed 1 x Pot (Large)",
        "Delivered 3 x Mug (Blue)",
        "Shipped 3 x Mug (Blue)",
        "Packed 3 x Mug (Blue)",
        "Placed",
    ]


def statements(client: Client, placed: Order) -> int:
    page(client, placed)
    with CaptureQueriesContext(connection) as seen:
        page(client, placed)
    return len(seen)


def test_it_costs_as_many_statements_for_many_rows_as_for_one() -> None:
    client = superuser()
    one, many = delivered(), delivered()
    request(one, 1)
    for _ in range(3):
        request(many, 1)
    assert statements(client, one) == statements(client, many)
    assert statements(client, order(lines=1)) == statements(client, order(lines=30))


def test_times_are_those_of_the_shop() -> None:
    with override("Asia/Tokyo"):
        assert shown_moment(datetime(2026, 11, 23, 20, tzinfo=UTC)) == "24 Nov 2026, 05:00"


def test_lines_of_the_same_name_are_counted_one_by_one() -> None:
    placed = ordered((sold_variant(10), 1), (sold_variant(10), 2))
    OrderLineItem.objects.filter(order=placed).update(title="Tea", product_title="Tea", variant_title=None)
    packed(placed, 1, 2)
    context = page(superuser(), placed)
    assert " ".join(tables(context)["Fulfillments"][0]).count("x Tea") == 2
    assert "Packed 1 x Tea, 2 x Tea" in [what for what, _ in timeline(context)]
