"""An export shows the orders of one moment."""

from collections.abc import Iterator
from typing import Any

import pytest

from orders.models import Order
from orders.reports.export import batches
from orders.reports.export.kinds import LINES, ORDERS, Kind
from orders.reports.export.writing import Batches
from tests.concurrency.crowd import at_once
from tests.orders.placed import placed
from tests.orders.reports.export.shop import exported, rows

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.postgresql
@pytest.mark.parametrize("kind", [ORDERS, LINES])
def test_38_what_arrives_meanwhile_is_not_in_it(kind: Kind, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "BATCH", 1)
    for _ in range(2):
        placed()

    def beside(read: Batches, count: int) -> Iterator[Any]:
        """After the first batch another order arrives."""
        for number, batch in enumerate(read):
            if number == 0:
                at_once(lambda _: placed(), threads=1)
            yield batch

    assert [row["order_number"] for row in rows(exported(kind, watch=beside))] == ["1", "2"]
    assert Order.objects.count() == 3
    assert [row["order_number"] for row in rows(exported(kind))] == ["1", "2", "3"]
