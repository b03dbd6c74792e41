"""Documents on the admin site: their list, the page of one, the page of their order, and its forms."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.admin.utils import quote
from django.test import Client
from pytest_django import Settings

from kit.values.timestamps import now
from orders.admin.invoices import printing
from orders.invoices.printing.files import keep
from orders.models import Invoice, Order
from orders.states import InvoiceKind
from tests.factories.invoices import document
from tests.kit.admin.visits import reported, superuser, visitor
from tests.orders.admin.forms.desk import act, desk, page, text_of
from tests.orders.invoices.shop import documents, invoiced, sells
from tests.orders.placed import placed

pytestmark = [pytest.mark.once, pytest.mark.django_db]
LIST = "/admin/orders/invoice/"
READER = ("orders.view_invoice", "orders.view_order")


@pytest.fixture(autouse=True)
def folder(settings: Settings, tmp_path: Path) -> None:
    settings.INVOICE_DIR = str(tmp_path)


def screen(row: Invoice, button: str = "change") -> str:
    return f"{LIST}{quote(row.pk)}/{button}/"


def order_page(client: Client, order: Order) -> Any:
    return client.get(f"/admin/orders/order/{quote(order.pk)}/change/")


class TestList:
    def test_it_names_kind_order_buyer_and_amount(self) -> None:
        order = placed()
        invoice, credit = document(order), document(order, kind=InvoiceKind.CREDIT_NOTE, total=6)
        text = text_of(visitor(*READER).get(LIST))
        for said in (
            invoice.shown_number,
            credit.shown_number,
            str(order),
            "Ann Lee",
            "$12.00",
            "$6.00",
            "Sale",
            "Refund",
        ):
            assert said in text

    def test_it_is_searched_and_filtered(self) -> None:
        first, second = placed(), placed()
        old = document(first, issued_at=now() - timedelta(days=400))
        new = document(second, kind=InvoiceKind.CREDIT_NOTE)
        client = superuser()

        def found(query: str) -> set[str]:
            rows = client.get(f"{LIST}?{query}").context["cl"].result_list
            return {row.shown_number for row in rows}

        both = {old.shown_number, new.shown_number}
        today = now().date().isoformat()
        cases = {
            "": both,
            f"q={new.shown_number}": {new.shown_number},
            f"q=%23{first.display_id}": {old.shown_number},
            "q=guest": both,
            "kind__exact=invoice": {old.shown_number},
            f"issued_at_from={today}": {new.shown_number},
            "currency__code__exact=eur": set(),
        }
        assert {query: found(query) for query in cases} == cases

    def test_more_documents_cost_no_more_statements(self, django_assert_max_num_queries: Any) -> None:
        order, client = placed(), visitor(*READER)
        for number in (1, 6):
            while Invoice.objects.count() < number:
                document(order)
            with django_assert_max_num_queries(9):
                assert len(client.get(LIST).context["cl"].result_list) == number


class TestPage:
    def test_it_shows_everything_and_links_what_belongs_to_it(self) -> None:
        order = placed()
        invoice = document(order)
        credit = document(order, kind=InvoiceKind.CREDIT_NOTE, total=6, corrects=invoice)
        client = visitor(*READER)
        answer = client.get(screen(invoice))
        text = text_of(answer)
        for said in (
            invoice.shown_number,
            "Tea Ltd",
            "Ann Lee",
            "Mug",
            "MUG-1",
            "20 %",
            "$10.00",
            "$2.00",
            "$12.00",
            "Card",
        ):
            assert said in text, said
        content = answer.content.decode()
        assert f'href="{screen(credit)}"' in content
        assert f'href="/admin/orders/order/{quote(order.pk)}/change/"' in content
        assert f'href="{screen(invoice)}"' in client.get(screen(credit)).content.decode()

    def test_nobody_changes_it(self) -> None:
        invoice = document(placed())
        client = superuser()
        assert client.post(screen(invoice), {"shown_number": "X"}).status_code == 403
        assert client.get(screen(invoice, "delete")).status_code == 403
        assert client.get(f"{LIST}add/").status_code == 403

    def test_it_is_printed_and_its_pdf_sent(self) -> None:
        invoice = document(placed())
        client = visitor(*READER)
        printed = client.get(screen(invoice, "print"))
        assert invoice.shown_number in printed.content.decode()
        assert "no-store" in printed["Cache-Control"]
        assert client.get(screen(invoice, "pdf")).status_code == 404
        assert screen(invoice, "pdf") not in client.get(screen(invoice)).content.decode()
        keep(invoice, b"%PDF-1.7")
        assert client.get(screen(invoice, "pdf")).content == b"%PDF-1.7"
        assert screen(invoice, "pdf") in client.get(screen(invoice)).content.decode()

    def test_an_erased_buyer(self) -> None:
        assert "Erased" in text_of(superuser().get(screen(document(placed(), buyer={}))))

    def test_its_statements(self, django_assert_max_num_queries: Any) -> None:
        order, client = placed(), visitor(*READER)
        invoice = document(order)
        for _ in range(3):
            document(order, kind=InvoiceKind.CREDIT_NOTE, corrects=invoice)
        client.get(screen(invoice))
        with django_assert_max_num_queries(20):
            client.get(screen(invoice))


class TestPrinting:
    def selected(self, client: Client, where: str, action: str, rows: list[Any]) -> Any:
        return client.post(where, {"action": action, "_selected_action": [row.pk for row in rows]})

    def test_documents_of_both_lists_are_printed_as_one(self) -> None:
        orders = [placed(), placed(), placed()]
        made = [document(orders[0]), document(orders[1]), document(orders[1], kind=InvoiceKind.CREDIT_NOTE)]
        client = visitor(*READER)
        of_orders = self.selected(client, "/admin/orders/order/", "print_documents", orders[1:]).content.decode()
        assert [row.shown_number in of_orders for row in made] == [False, True, True]
        chosen = self.selected(client, LIST, "print_selected", made[:2]).content.decode()
        assert [row.shown_number in chosen for row in made] == [True, True, False]

    def test_none_and_too_many_are_refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(printing, "MOST_PRINTED", 1)
        order = placed()
        client = superuser()
        for number, message in (
            (0, "The selected orders have no documents."),
            (2, "At most 1 documents are printed at once. Select fewer."),
        ):
            for _ in range(number):
                document(order)
            answer = self.selected(client, "/admin/orders/order/", "print_documents", [order])
            assert (answer.status_code, reported(answer)[-1]) == (302, message)

    def test_it_needs_the_permission(self) -> None:
        order = placed()
        document(order)
        client = visitor("orders.view_order")
        answer = self.selected(client, "/admin/orders/order/", "print_documents", [order])
        assert Invoice.objects.get().shown_number not in answer.content.decode()


class TestOrder:
    def test_its_page_and_timeline_have_the_documents(self) -> None:
        order = placed()
        invoice = document(order)
        text = text_of(order_page(visitor(*READER), order))
        assert "Invoices and credit notes" in text
        assert f"Invoice {invoice.shown_number} written over $12.00" in text
        hidden = text_of(order_page(visitor("orders.view_order"), order))
        assert invoice.shown_number not in hidden

    def test_without_documents_there_is_no_table(self) -> None:
        assert "<h2>Invoices and credit notes" not in order_page(superuser(), placed()).content.decode()


class TestCorrecting:
    def test_case_55(self) -> None:
        order = invoiced()
        assert documents(order) == "R1 50.00+10.00"
        invoice = Invoice.objects.get()
        client, user = desk()
        text = page(client, order, "correct-invoice", invoice.pk)
        for said in ("Writes a credit note over", "60.00", "Writes a new invoice to:", f"{invoice} stays as it is."):
            assert said in text, said
        message = act(client, order, "correct-invoice", invoice.pk)
        numbers = list(Invoice.objects.order_by("issued_at", "pk").values_list("shown_number", flat=True))
        assert message == f"Corrected invoice {numbers[0]} by {numbers[1]} and {numbers[2]}."
        assert documents(order) == "R1 50.00+10.00, G1 50.00+10.00, R2 50.00+10.00"
        assert set(Invoice.objects.exclude(pk=invoice.pk).values_list("created_by", flat=True)) == {user.pk}
        order_page(client, order)  # which shows the message
        text = text_of(order_page(client, order))
        assert "Corrected invoice" not in text
        assert f"Invoice {numbers[2]} written over" in text

    def test_only_the_latest_invoice_is_offered(self) -> None:
        order = invoiced()
        first = Invoice.objects.get()
        client, _ = desk()
        assert screen(first, "correct") in client.get(screen(first)).content.decode()
        act(client, order, "correct-invoice", first.pk)
        latest = Invoice.objects.filter(kind="invoice").latest("issued_at")
        credit = Invoice.objects.get(kind="credit_note")
        offered = [
            screen(row, "correct") in client.get(screen(row)).content.decode() for row in (first, credit, latest)
        ]
        assert offered == [False, False, True]
        assert client.get(screen(latest, "correct")).status_code == 302

    def test_a_document_of_another_order_is_not_found(self) -> None:
        own, other = invoiced(), document(placed())
        client, _ = desk()
        assert (
            client.get(f"/admin/orders/order/{quote(own.pk)}/actions/correct-invoice/{quote(other.pk)}/").status_code
            == 404
        )


class TestWriting:
    def test_by_hand(self, settings: Settings) -> None:
        settings.INVOICE_ON = ""
        order = invoiced()
        client, _ = desk()
        assert documents(order) == ""
        assert "Write invoice" in text_of(order_page(client, order))
        assert "Writes an invoice of what the order is worth by now" in page(client, order, "write-invoice")
        message = act(client, order, "write-invoice")
        assert message == f"Wrote invoice {Invoice.objects.get().shown_number}."
        order.refresh_from_db()
        assert "Write invoice" not in text_of(order_page(client, order))

    def test_the_form_says_what_the_seller_lacks(self, settings: Settings) -> None:
        settings.INVOICE_ON = ""
        order = placed()
        client, _ = desk()
        assert "Invoices need these fields of the store: legal name" in page(client, order, "write-invoice")

    def test_it_is_not_offered_where_invoices_follow_by_themselves(self) -> None:
        sells()
        assert "Write invoice" not in text_of(order_page(superuser(), placed()))
