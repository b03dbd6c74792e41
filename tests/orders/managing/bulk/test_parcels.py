"""Which parcels rows of tracking numbers are about, and what is wrong with the others."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from kit.domain.actor import Actor
from orders.fulfillments import cancellation, delivery, shipping
from orders.managing.bulk.parcels import Problem, matched, parcels_of, shipment
from orders.managing.bulk.tracking_rows import tracking_rows
from orders.models import Order
from tests.factories.carts import ebook, sold_variant
from tests.orders.fulfillments.shop import STAFF, pack
from tests.orders.managing.bulk.shop import packed_orders
from tests.orders.returns.shop import paid

pytestmark = pytest.mark.django_db


def rows(*texts: str) -> tuple[list[tuple[str, str]], list[Problem]]:
    """The names and tracking numbers of what these rows ship, and the problems of the others."""
    shipments, problems = matched(tracking_rows("\n".join(texts)), actor=STAFF)
    return [(each.name, each.tracking) for each in shipments], problems


def reason(*texts: str) -> str:
    """Of the only row."""
    shipments, (problem,) = rows(*texts)
    assert shipments == []
    return problem.reason


def test_orders_are_named_by_their_numbers() -> None:
    first, second = packed_orders(2)
    Order.objects.filter(pk=second.pk).update(custom_display_id="WEB-7")
    assert rows(f"#{first.display_id},T-1", "WEB-7,T-2") == (
        [(f"#{first.display_id}", "T-1"), ("WEB-7", "T-2")],
        [],
    )
    assert rows(f"{second.display_id},T-2")[0] == [("WEB-7", "T-2")]


def test_unknown_and_ambiguous_numbers() -> None:
    first, second = packed_orders(2)
    Order.objects.filter(pk=second.pk).update(custom_display_id=str(first.display_id))
    assert reason(f"{first.display_id},T") == "More than one order has this number."
    for unknown in ("4711", "9" * 40, "x1", "1.0", "-1", "'1", "%31"):
        assert rows("0,T", f"{unknown},T")[1][1] == Problem(f"Row 2: {unknown}", "No order has this number."), unknown
    assert matched(tracking_rows("1,T"), actor=Actor("user", "user_x"))[0] == []


def test_rows_that_lack_a_number_or_have_a_wrong_one() -> None:
    (order,) = packed_orders(1)
    number = order.display_id
    for row in (f"{number}", f"{number},", f"{number},,2"):
        assert reason(row) == "Enter an order number and a tracking number."
    assert rows("7,T", ",T")[1][1] == Problem("Row 2: no order", "Enter an order number and a tracking number.")
    assert reason(f"{number},T,1,x") == "Enter an order number, a tracking number and at most the parcel's number."
    shortened = "A spreadsheet has shortened 3.4E+17. Format its column as text."
    assert reason(f"{number},3.4E+17") == shortened
    assert reason(f"{number};3,4E+17") == shortened.replace("3.4", "3,4")
    assert "too long" in reason(f"{number},{'T' * 256}")
    assert reason(f"{number},T\x07") == "Value for field 'tracking_number' must not contain control characters"
    assert rows(f"{number},=1+1")[0] == [(str(order), "=1+1")]  # a text like any other


def test_repeated_rows() -> None:
    first, second = packed_orders(2)
    one, two = first.display_id, second.display_id
    assert rows(f"{one},T-1", f"{two},T-2", f"#{one},T-1") == (
        [(str(first), "T-1"), (str(second), "T-2")],
        [Problem(f"Row 3: #{one}", f"{first} is also in row 1.")],
    )
    shipments, problems = rows(f"{one},T-1", f"{two},T-2", f"{one},T-3")
    assert shipments == [(str(second), "T-2")]
    assert problems == [
        Problem(f"Row 3: {one}", f"{first} is also in row 1."),
        Problem(f"Row 1, {first}", "Other rows have another tracking number for the same parcel."),
    ]


def test_a_row_for_a_parcel_of_the_table() -> None:
    (order,) = packed_orders(1)
    typed = [shipment(parcels_of([order.pk])[order.pk][0], "T-1")]
    shipments, problems = matched(tracking_rows(f"{order.display_id},T-1"), actor=STAFF, typed=typed)
    assert (shipments, [each.reason for each in problems]) == (typed, [f"{order} is also in the table."])
    assert matched(tracking_rows(f"{order.display_id},T-2"), actor=STAFF, typed=typed)[0] == []


def test_orders_without_a_packed_parcel() -> None:
    order = paid()
    number = order.display_id
    assert reason(f"{number},T") == "Nothing is packed that must be shipped."
    first = pack(order, 1)
    shipping.ship(actor=STAFF, fulfillment_id=first.pk)
    assert reason(f"{number},T") == "Shipped already."
    second = pack(order, 1)
    assert rows(f"{number},T")[0] == [(f"{order}, parcel 2", "T")]
    assert reason(f"{number},T,1") == "Shipped already."
    cancellation.cancel(actor=STAFF, fulfillment_id=second.pk)
    for parcel in ("2", "3", "0", "x", "9" * 40):
        assert reason(f"{number},T,{parcel}") == "The order has no parcel of that number."
    pack(order, 1)
    assert rows(f"{number},T,3")[0] == [(f"{order}, parcel 3", "T")]
    picked_up = paid()
    delivery.deliver(actor=STAFF, fulfillment_id=pack(picked_up, 5).pk)
    assert reason(f"{picked_up.display_id},T") == "Delivered already."


def test_what_does_not_ship_is_no_parcel_to_ship() -> None:
    order = paid((sold_variant(10), 1), (ebook(), 1))
    pack(order, 1, 0)
    pack(order, 0, 1)
    assert rows(f"{order.display_id},T")[0] == [(f"{order}, parcel 1", "T")]


def test_it_reads_as_much_for_many_rows_as_for_one() -> None:
    counts = []
    for orders in (packed_orders(1), packed_orders(4)):
        with CaptureQueriesContext(connection) as seen:
            rows(*(f"{order.display_id},T" for order in orders))
        counts.append(len(seen))
    assert counts == [2, 2]
