"""Shoppers read the documents of the orders that they see, and no others."""

from datetime import timedelta
from typing import Any

import pytest

from customers.models import Customer
from kit.values.timestamps import now
from orders.models import Invoice, Order
from orders.states import InvoiceKind
from tests.contract.callers import Caller, refusal
from tests.factories.invoices import BUYER, SELLER, document
from tests.factories.shop import SalesChannelFactory
from tests.orders.placed import placed

pytestmark = pytest.mark.django_db


def path(order: Order) -> str:
    return f"/store/orders/{order.pk}/invoices"


def unknown(order: Order) -> tuple[int, str]:
    return 404, f"Order with id: {order.pk} was not found"


def test_a_customer_reads_the_documents_of_an_order_the_oldest_first(by_ann: Caller, ann: Customer) -> None:
    order = placed(customer=ann)
    credit = document(order, kind=InvoiceKind.CREDIT_NOTE, total=6, issued_at=now())
    invoice = document(order, issued_at=now() - timedelta(days=1))
    document(placed(customer=ann))
    response = by_ann.get(path(order))
    assert (response.status_code, response["Cache-Control"]) == (200, "no-store")
    first, second = response.json()["invoices"]
    assert [first["number"], second["number"]] == [invoice.shown_number, credit.shown_number]
    moment = invoice.issued_at.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    assert first == {
        "id": invoice.pk,
        "kind": "invoice",
        "number": f"R-{invoice.series_year}-000001",
        "order_id": order.pk,
        "corrects_id": None,
        "reason": "sale",
        "issued_at": moment,
        "issued_on": moment[:10],
        "supplied_on": None,
        "due_on": None,
        "currency_code": "usd",
        "locale": None,
        "subtotal": 10,
        "tax_total": 2,
        "total": 12,
    }
    shown = by_ann.get(path(order), "fields=seller,buyer,paid_by").json()["invoices"][0]
    paid = [{"label": "Card", "amount": 12}]
    assert shown == {"id": invoice.pk, "seller": SELLER, "buyer": BUYER, "paid_by": paid}


def test_fields_choose_lines_and_taxes(guest: Caller) -> None:
    order = placed()
    document(order)
    (shown,) = guest.get(path(order), "fields=id,lines.title,lines.total,taxes.rate,taxes.total").json()["invoices"]
    (line,), (tax,) = shown["lines"], shown["taxes"]
    assert (line["title"], line["total"], tax["rate"], tax["total"]) == ("Mug", 12, 20, 2)
    assert refusal(guest.get(path(order), "fields=secret")) == (400, "Requested fields [secret] are not valid")


def test_they_are_a_relation_of_the_order(guest: Caller) -> None:
    order, without = placed(), placed()
    invoice = document(order)
    for each, numbers in ((order, [invoice.shown_number]), (without, [])):
        shown = guest.get(f"/store/orders/{each.pk}", "fields=id,invoices.number").json()["order"]
        assert [document["number"] for document in shown["invoices"]] == numbers


@pytest.mark.parametrize("state", ["another's", "channel", "deleted", "erased", "left account"])
def test_an_order_that_is_not_shown_shows_no_document(state: str, guest: Caller, by_bob: Caller, ann: Customer) -> None:
    order = placed(customer=ann if state == "another's" else None)
    document(order)
    columns: dict[str, Any] = {
        "channel": {"sales_channel": SalesChannelFactory()},
        "deleted": {"deleted_at": now()},
        "erased": {"erasure_requested_at": now()},
        "left account": {"left_account_at": now()},
    }
    Order.objects.filter(pk=order.pk).update(**columns.get(state, {"version": 1}))
    for caller in (guest, by_bob):
        assert refusal(caller.get(path(order))) == unknown(order)


def test_wrong_ids_of_orders_are_limited(guest: Caller, settings: Any) -> None:
    settings.THROTTLES = {**settings.THROTTLES, "client_flood": (2, 10**9)}
    statuses = [guest.get(f"/store/orders/order_{number}/invoices").status_code for number in range(4)]
    assert statuses == [404, 404, 429, 429]


def test_more_documents_cost_no_more_statements(guest: Caller, django_assert_num_queries: Any) -> None:
    order = placed()
    document(order)
    guest.get(path(order))
    for extra in (0, 5):
        for _ in range(extra):
            document(order)
        number = Invoice.objects.count()
        with django_assert_num_queries(5):
            assert len(guest.get(path(order), "fields=*,*lines").json()["invoices"]) == number
