"""Each row of the table of fulfillment statuses."""

import pytest

from orders.fulfillments.status import LineProgress, fulfillment_status


def line(quantity: int, fulfilled: int = 0, shipped: int = 0, delivered: int = 0, **more: int | bool) -> LineProgress:
    returned, requires_shipping = int(more.get("returned", 0)), bool(more.get("requires_shipping", True))
    return LineProgress(quantity, fulfilled, shipped, delivered, returned, requires_shipping)


DIGITAL = {"requires_shipping": False}


@pytest.mark.once
@pytest.mark.parametrize(
    ("lines", "status"),
    [
        ([line(2)], "not_fulfilled"),
        ([line(2, 1), line(1)], "partially_fulfilled"),
        ([line(2, 2), line(1)], "partially_fulfilled"),
        ([line(2, 2), line(1, 1)], "fulfilled"),
        ([line(2, 2, 1)], "partially_shipped"),
        ([line(2, 2, 2), line(1, 1)], "partially_shipped"),
        ([line(2, 1, 1)], "partially_shipped"),
        ([line(2, 2, 2)], "shipped"),
        ([line(2, 2, 2, 1)], "partially_delivered"),
        ([line(2, 2, 2, 2), line(1)], "partially_delivered"),
        ([line(2, 2, 2, 2)], "delivered"),
        ([line(2, 2, 0, 2)], "delivered"),  # picked up
        ([line(2, 2, 1, 1)], "partially_delivered"),
        # Lines that need no shipping are done when they are fulfilled
        ([line(2, 2, 2), line(1, 1, **DIGITAL)], "shipped"),
        ([line(2, 2, 2), line(1, 0, **DIGITAL)], "partially_shipped"),
        ([line(2, 2, 2, 2), line(1, 1, **DIGITAL)], "delivered"),
        ([line(1, 1, **DIGITAL)], "fulfilled"),
        ([line(1, 1, 0, 1, **DIGITAL)], "delivered"),
        # Returned: after they were shipped, and before
        ([line(2, 2, 2, returned=1)], "shipped"),
        ([line(2, 2, 2, 1, returned=1)], "partially_delivered"),
        ([line(3, 3, 1, returned=3)], "shipped"),
        ([line(3, 3, 1, returned=2)], "partially_shipped"),
    ],
)
def test_each_row_of_the_table(lines: list[LineProgress], status: str) -> None:
    assert fulfillment_status(lines) == status
    assert fulfillment_status(lines, is_canceled=True) == "canceled"
