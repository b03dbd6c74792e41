"""Staff and programs list documents, and find them."""

from datetime import timedelta
from typing import Any

import pytest

from kit.values.timestamps import now
from orders.common.search.entries import refresh_entry
from orders.models import Invoice, Order, OrderAddress
from orders.states import InvoiceKind
from tests.contract.callers import Caller, importer, refusal
from tests.factories.apikeys import secret_key
from tests.factories.invoices import document
from tests.factories.orders import ADDRESS
from tests.factories.staff import UserFactory
from tests.kit.graphql.calls import ask, data
from tests.orders.placed import placed

pytestmark = pytest.mark.django_db


def program_with(*permissions: str) -> Caller:
    """A program whose key is limited to these permissions."""
    return importer(secret_key(UserFactory(is_superuser=True), permissions=[*permissions]))


@pytest.fixture
def erp(db: None) -> Caller:
    return program_with("orders.view_order", "orders.view_invoice")


def addressed(name: str) -> Order:
    order = placed()
    Order.objects.filter(pk=order.pk).update(
        billing_address=OrderAddress.objects.create(**{**ADDRESS, "last_name": name})
    )
    refresh_entry(order.pk)
    return order


def found(caller: Caller, query: str) -> list[str]:
    response = caller.get("/admin/invoices", query)
    assert response.status_code == 200, response.content
    shown = [each["number"] for each in response.json()["invoices"]]
    assert response.json()["count"] == len(shown)
    return shown


def test_the_list_is_without_lines_and_the_newest_first(erp: Caller) -> None:
    order = placed()
    old = document(order, issued_at=now() - timedelta(days=2))
    new = document(order)
    assert found(erp, "") == [new.shown_number, old.shown_number]
    assert found(erp, "order=total") == [old.shown_number, new.shown_number]
    (first, _) = erp.get("/admin/invoices").json()["invoices"]
    assert "lines" not in first
    one = erp.get(f"/admin/invoices/{new.pk}").json()["invoice"]
    assert (one["series_year"], one["series_number"], one["created_by"], one["pdf_created_at"]) == (
        new.series_year,
        2,
        None,
        None,
    )
    assert ([line["title"] for line in one["lines"]], [tax["rate"] for tax in one["taxes"]]) == (["Mug"], [20])


def test_documents_are_found_by_numbers_and_by_the_buyers_name(erp: Caller) -> None:
    ann, bob = addressed("Quincy"), addressed("Zhou")
    invoice, other = document(ann), document(bob)
    credit = document(ann, kind=InvoiceKind.CREDIT_NOTE)
    of_ann = [invoice.shown_number, credit.shown_number]
    searches = {
        invoice.shown_number: of_ann,
        invoice.shown_number.lower(): of_ann,
        credit.shown_number: of_ann,
        other.shown_number: [other.shown_number],
        "quincy": of_ann,
        f"%23{bob.display_id}": [other.shown_number],
        "nobody": [],
        "": [*of_ann, other.shown_number],
    }
    assert {each: sorted(found(erp, f"q={each}")) for each in searches} == {
        each: sorted(numbers) for each, numbers in searches.items()
    }
    assert found(erp, "q=quincy&kind=credit_note") == [credit.shown_number]


def test_orders_are_found_by_the_numbers_of_their_documents(erp: Caller) -> None:
    first, second = placed(), placed()
    one, two = document(first), document(second)

    def orders(search: str) -> list[int]:
        return [
            each["display_id"] for each in erp.get("/admin/orders", f"q={search}&fields=display_id").json()["orders"]
        ]

    for _ in range(2):
        assert orders(one.shown_number) == [first.display_id]
        assert orders(two.shown_number.lower()) == [second.display_id]
        assert orders(two.shown_number[-6:]) == [second.display_id]
        assert orders(f"{two.shown_number}%20guest@example") == [second.display_id]
        refresh_entry(first.pk)
        refresh_entry(second.pk)


def test_too_many_words_are_refused(erp: Caller) -> None:
    status, message = refusal(erp.get("/admin/invoices", "q=1%202%203%204%205%206%207%208%209"))
    assert (status, message[:28]) == (400, "Invalid request: The searche")


def test_without_the_permission_there_is_nothing() -> None:
    invoice = document(placed())
    for caller in (program_with("orders.view_order"), program_with("orders.add_invoice")):
        assert caller.get("/admin/invoices").status_code == 403
        assert caller.get(f"/admin/invoices/{invoice.pk}").status_code == 403
    shown = program_with("orders.view_order").get(f"/admin/orders/{invoice.order_id}", "fields=id,invoices.number")
    assert shown.json()["order"]["invoices"] == []


def test_an_order_of_the_admin_api_has_its_documents(erp: Caller) -> None:
    invoice = document(placed())
    shown = erp.get(f"/admin/orders/{invoice.order_id}", "fields=id,invoices.number,invoices.series_number")
    assert shown.json()["order"]["invoices"] == [{"id": invoice.pk, "number": invoice.shown_number, "series_number": 1}]
    query = f'{{ adminOrder(id: "{invoice.order_id}") {{ invoices {{ number taxes {{ rate }} }} }} }}'
    assert data(ask(erp, query)) == {
        "adminOrder": {"invoices": [{"number": invoice.shown_number, "taxes": [{"rate": 20}]}]}
    }


def test_more_documents_cost_no_more_statements(erp: Caller, django_assert_max_num_queries: Any) -> None:
    order = placed()
    for number in (1, 6):
        while Invoice.objects.count() < number:
            document(order)
        with django_assert_max_num_queries(3):
            assert len(erp.get("/admin/invoices", "q=guest&fields=id,number,total").json()["invoices"]) == number
