"""Edits of one order by many people at once."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection

from orders.api.resources import previews
from orders.api.resources.edit_previews import apply_change
from orders.changes import confirmation, items, lifecycle
from orders.changes.added_lines import NewItem
from tests.concurrency.crowd import at_once
from tests.concurrency.test_fulfillments import outcome
from tests.contract.callers import Caller
from tests.contract.conftest import admin
from tests.orders.changes.shop import goods, line, order_a, reserved
from tests.orders.changes.shop import outcome as edited
from tests.orders.fulfillments.shop import STAFF

__all__ = ["admin"]
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


def test_of_twenty_changes_of_one_version_one_is_made(admin: Caller) -> None:
    order = order_a()

    def change(turn: int) -> int:
        body = {"metadata": {"desk": turn}}
        status: int = Caller(**admin.headers).post(f"/admin/orders/{order.pk}", body, If_Match='"1"').status_code
        return status

    assert Counter(at_once(change, threads=20)) == {200: 1, 409: 19}
    order.refresh_from_db()
    assert order.version == 2


def test_a_preview_while_the_edit_is_confirmed(admin: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    """It shows the order as of the moment when it began to read."""
    order, scarf = order_a(), goods("scarf", 15)
    lifecycle.begin(actor=STAFF, order_id=order.pk)
    items.add(actor=STAFF, order_id=order.pk, items=[NewItem(scarf.pk, 1)])

    def confirmed_before(*given: Any) -> int:
        with ThreadPoolExecutor(1) as pool:
            pool.submit(lambda: confirmation.confirm(actor=STAFF, order_id=order.pk)).result()
            pool.submit(lambda: connection.close()).result()  # noqa: PLW0108 - the thread's own
        return apply_change(*given)

    monkeypatch.setattr(previews, "apply_change", confirmed_before)
    shown = admin.get(f"/admin/orders/{order.pk}/preview").json()["order"]
    assert (shown["total"], shown["version"], [each["title"] for each in shown["items"]]) == (
        78, 1, ["mug", "tee", "scarf"],
    )  # fmt: skip
    assert edited(order)[:2] == ("78.00", "18.00")
