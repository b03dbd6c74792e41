"""The documents of a refund by item: what left the order and what came back are one credit note, numbered last."""

import re
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from orders.exchanges import refunds_by_item
from tests.orders.invoices.shop import documents, sells
from tests.orders.item_refunds.shop import deliver, order_b, refund, shown, units
from tests.orders.refunds.shop import captured

pytestmark = pytest.mark.django_db


def test_its_number_is_taken_once_all_else_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    """3 bags at 11.90, a box at 29.99 and post of 4.90, with 19 % in them; a bag of each kind goes."""
    sells()
    order = captured(order_b(captured=False))
    assert documents(order) == "R1 59.32+11.27"  # 30.00 + 25.20 + 4.12, and 5.70 + 4.79 + 0.78
    deliver(order, 1)
    wanted = units(order, unpacked=1, returned=1)
    shown(order, wanted)
    assert documents(order) == "R1 59.32+11.27"
    monkeypatch.setattr(refunds_by_item, "call_providers", _nothing)
    with CaptureQueriesContext(connection) as ran:
        refund(order, wanted)
    assert documents(order) == "R1 59.32+11.27, G1 20.00+3.80"
    texts = [query["sql"] for query in ran.captured_queries if "SAVEPOINT" not in query["sql"]]
    (place,) = [place for place, text in enumerate(texts) if 'INSERT INTO "orders_invoicenumber"' in text]
    written = [re.match(r'(?:INSERT INTO|UPDATE) "?(\w+)', text) for text in texts[place + 1 :]]
    assert [each[1] for each in written if each][:2] == ["orders_invoice", "orders_ordersearch"]
    assert {each[1] for each in written if each} <= {
        *("orders_invoice", "orders_ordersearch", "outbox_event", "mails_mail"),
    }
    assert not [text for text in texts[place + 1 :] if "FOR NO KEY UPDATE" in text]


def _nothing(*given: Any) -> None:
    """The providers are called after the commit."""
