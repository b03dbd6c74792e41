"""Edits of one order by many people at once."""

from collections import Counter

import pytest

from orders.changes import confirmation, items, lifecycle
from orders.changes.added_lines import NewItem
from tests.concurrency.crowd import at_once
from tests.concurrency.test_fulfillments import outcome
from tests.orders.changes.shop import goods, line, order_a, reserved
from tests.orders.changes.shop import outcome as edited
from tests.orders.fulfillments.shop import STAFF

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgresql]


def test_twenty_who_begin_and_twenty_who_confirm() -> None:
    order, scarf = order_a(), goods("scarf", 15)
    begun = at_once(lambda n: outcome(lambda: lifecycle.begin(actor=STAFF, order_id=order.pk)), threads=20)
    assert Counter(begun) == {"done": 1, "ChangeOpen": 19}
    items.add(actor=STAFF, order_id=order.pk, items=[NewItem(scarf.pk, 1)])
    items.change_line(actor=STAFF, order_id=order.pk, line_id=line(order, "mug").pk, quantity=1)
    confirmed = at_once(lambda n: outcome(lambda: confirmation.confirm(actor=STAFF, order_id=order.pk)), threads=20)
    assert Counter(confirmed) == {"done": 1, "NoOpenChange": 19}
    first, second = ("60.00", "completed"), ("6.00", "not_paid")
    assert edited(order) == ("66.00", "6.00", "partially_captured", "not_fulfilled", 2, [first, second])
    assert reserved(order) == {"mug": 1, "tee": 1, "scarf": 1}
