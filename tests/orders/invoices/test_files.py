"""Documents as files: whose they are, and the signed addresses by which guests open them."""

import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography.fernet import Fernet
from django.test import Client
from pytest_django import Settings

from customers.models import Customer
from kit.values.timestamps import now
from orders.access.signed_documents import address_of
from orders.invoices.printing.files import keep
from orders.models import Invoice, InvoiceFile, Order
from tests.contract.callers import Caller, importer, refusal
from tests.factories.apikeys import secret_key
from tests.factories.clock import at
from tests.factories.customers import CustomerFactory
from tests.factories.invoices import document
from tests.factories.staff import UserFactory
from tests.kit.graphql.calls import ask, data
from tests.orders.lookups.asking import LOOKUP, page, token_for
from tests.orders.lookups.asking import browser as plain_browser
from tests.orders.placed import placed

pytestmark = pytest.mark.django_db

PUBLIC_URL = "https://shop.example"
PDF = b"%PDF-1.7 of nothing"
POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; frame-ancestors 'none'; "
    "base-uri 'none'; sandbox"
)


@pytest.fixture(autouse=True)
def folder(settings: Settings, tmp_path: Path) -> Path:
    settings.INVOICE_DIR, settings.PUBLIC_URL = str(tmp_path), PUBLIC_URL
    return tmp_path


@pytest.fixture
def admin(db: None) -> Caller:
    return importer(secret_key(UserFactory(is_superuser=True)))


def path(invoice: Invoice) -> str:
    return f"/store/orders/{invoice.order_id}/invoices/{invoice.pk}"


def signed(invoice: Invoice) -> str:
    """The address of the document, as a path."""
    return address_of(invoice.pk).removeprefix(PUBLIC_URL)


class TestOfAnOrder:
    def test_without_a_pdf_it_is_a_page_that_loads_and_runs_nothing(self, guest: Caller) -> None:
        invoice = document(placed(), buyer={"first_name": "<script>", "country_code": "us"})
        response = guest.get(path(invoice))
        assert (response.status_code, response["Content-Type"]) == (200, "text/html; charset=utf-8")
        assert (response["Cache-Control"], response["Content-Security-Policy"]) == ("no-store", POLICY)
        text = response.content.decode()
        assert invoice.shown_number in text
        assert "<script" not in text
        assert "&lt;script&gt;" in text

    def test_with_one_it_is_that(self, guest: Caller, by_ann: Caller, ann: Customer) -> None:
        for caller, invoice in ((guest, document(placed())), (by_ann, document(placed(customer=ann)))):
            keep(invoice, PDF)
            response = caller.get(path(invoice))
            assert (response.status_code, response["Content-Type"]) == (200, "application/pdf")
            assert (response.content, response["Cache-Control"]) == (PDF, "no-store")
            assert response["Content-Security-Policy"] == "frame-ancestors 'none'"
            assert response["X-Content-Type-Options"] == "nosniff"
            assert response["Content-Disposition"] == f'inline; filename="{invoice.shown_number}.pdf"'

    def test_a_file_that_is_lost_or_changed_is_not_sent(self, guest: Caller, folder: Path) -> None:
        invoice = document(placed())
        keep(invoice, PDF)
        for spoil in (lambda file: file.write_bytes(b"other"), lambda file: file.unlink()):
            spoil(folder / InvoiceFile.objects.get().path)
            response = guest.get(path(invoice))
            assert (response.status_code, response["Content-Type"]) == (200, "text/html; charset=utf-8")

    def test_the_order_of_the_path_must_be_shown_and_have_it(
        self, guest: Caller, by_bob: Caller, ann: Customer
    ) -> None:
        own, of_ann = document(placed()), document(placed(customer=ann))
        for caller in (guest, by_bob):
            assert refusal(caller.get(path(of_ann))) == (404, f"Order with id: {of_ann.order_id} was not found")
            for invoice_id in (of_ann.pk, "inv_x"):
                status, message = refusal(caller.get(f"/store/orders/{own.order_id}/invoices/{invoice_id}"))
                assert (status, message[:16]) == (404, "Invoice with id:")
        for columns in ({"erasure_requested_at": now()}, {"erasure_requested_at": None, "left_account_at": now()}):
            Order.objects.filter(pk=own.order_id).update(**columns)
            assert guest.get(path(own)).status_code == 404

    def test_guesses_are_limited(self, guest: Caller, settings: Settings) -> None:
        settings.THROTTLES = {**settings.THROTTLES, "client_flood": (2, 10**9)}
        own = document(placed())
        statuses = [guest.get(f"/store/orders/{own.order_id}/invoices/inv_{number}").status_code for number in range(3)]
        assert [*statuses, guest.get(path(own)).status_code] == [404, 404, 429, 429]

    def test_nothing_is_rendered_in_a_request(self, guest: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
        def refuse(*_: object, **__: object) -> None:
            raise AssertionError("rendered")

        monkeypatch.setattr("orders.invoices.printing.pdf.subprocess.run", refuse)
        invoice = document(placed())
        assert guest.get(path(invoice)).status_code == Client().get(signed(invoice)).status_code == 200


class TestStaff:
    def test_get_the_pdf_alone(self, admin: Caller) -> None:
        invoice = document(placed())
        address = f"/admin/invoices/{invoice.pk}/pdf"
        assert refusal(admin.get(address)) == (
            404,
            f"Document {invoice.shown_number} has no PDF: see INVOICE_PDF, or ask again in a minute",
        )
        keep(invoice, PDF)
        response = admin.get(address)
        assert (response.content, response["Content-Type"], response["Cache-Control"]) == (
            PDF,
            "application/pdf",
            "no-store",
        )
        assert refusal(admin.get("/admin/invoices/inv_x/pdf")) == (404, "Invoice with id: inv_x was not found")
        shown = admin.get(f"/admin/invoices/{invoice.pk}", "fields=pdf_created_at").json()["invoice"]
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT[\d:.]{12}Z", shown["pdf_created_at"])


class TestSigned:
    def looked_up(self, guest: Caller, order: Order) -> list[dict[str, Any]]:
        shown: list[dict[str, Any]] = guest.post(f"{LOOKUP}/{token_for(guest, order.display_id)}").json()["order"][
            "invoices"
        ]
        return shown

    def test_a_looked_up_order_has_an_address_for_each_document(self, guest: Caller) -> None:
        order = placed()
        Order.objects.filter(pk=order.pk).update(left_account_at=now())
        invoice, other = document(order), document(order, total=6)
        first, second = self.looked_up(guest, order)
        url = first.pop("url")
        assert first == {
            "kind": "invoice",
            "number": invoice.shown_number,
            "issued_on": invoice.issued_on.isoformat(),
            "total": 12,
        }
        assert re.fullmatch(rf"{PUBLIC_URL}/orders/documents/[\w-]+=*", url)
        assert not {order.pk, invoice.pk, invoice.shown_number} & {*re.split(r"\W", url)}
        for each, shown in ((url, invoice), (second["url"], other)):
            response = Client().get(each.removeprefix(PUBLIC_URL))
            assert response.status_code == 200
            assert "no-store" in response["Cache-Control"]
            assert (response["Content-Security-Policy"], response["Referrer-Policy"]) == (POLICY, "no-referrer")
            assert shown.shown_number in response.content.decode()
        assert invoice.shown_number not in Client().get(second["url"].removeprefix(PUBLIC_URL)).content.decode()

    def test_the_pdf_is_sent_where_there_is_one(self) -> None:
        invoice = document(placed())
        keep(invoice, PDF)
        response = Client().get(signed(invoice))
        assert (response.content, response["Content-Type"]) == (PDF, "application/pdf")

    def test_the_page_of_a_looked_up_order_links_them(self, guest: Caller) -> None:
        order = placed()
        invoice = document(order)
        text = plain_browser().post(page(token_for(guest, order.display_id))).content.decode()
        link = re.search(rf'<a href="{PUBLIC_URL}(/orders/documents/[^"]+)" rel="noreferrer">([^<]+)</a>', text)
        assert link is not None
        assert link[2] == f"Invoice {invoice.shown_number}"
        assert Client().get(link[1]).status_code == 200

    def test_it_is_over_after_a_quarter_of_an_hour(self) -> None:
        invoice = document(placed())
        made = now().replace(microsecond=0)
        with at(made):
            address = signed(invoice)
        for minutes, status in ((14.9, 200), (15, 404), (600, 404)):
            with at(made + timedelta(minutes=minutes)):
                assert Client().get(address).status_code == status

    @pytest.mark.parametrize("state", ["erased", "deleted", "account"])
    def test_it_is_over_once_guests_do_not_see_the_order(self, state: str) -> None:
        invoice = document(placed())
        address = signed(invoice)
        assert Client().get(address).status_code == 200
        columns: dict[str, dict[str, Any]] = {
            "erased": {"erasure_requested_at": now()},
            "deleted": {"deleted_at": now()},
            "account": {"customer": CustomerFactory(has_account=True)},
        }
        Order.objects.update(**columns[state])
        response = Client().get(address)
        assert (response.status_code, invoice.shown_number in response.content.decode()) == (404, False)

    def test_none_can_be_made(self) -> None:
        invoice = document(placed())
        address = signed(invoice)
        stranger = Fernet(Fernet.generate_key()).encrypt(f"9999999999 {invoice.pk}".encode()).decode()
        wrong = [address[:-1], f"{address}A", address[:60] + ("A" if address[60] != "A" else "B") + address[61:]]
        wrong += [
            f"/orders/documents/{token}" for token in (stranger, invoice.pk, invoice.order_id, "%00", "é", "x" * 9000)
        ]
        for each in wrong:
            response = Client().get(each)
            assert response.status_code == 404
            assert "Link expired" in response.content.decode()
        assert Client().post(address).status_code == 405

    def test_in_graphql(self, guest: Caller) -> None:
        invoice = document(placed())
        order = Order.objects.get()
        asked = """mutation ($token: String!) { openOrderLookup(input: {token: $token}) {
          order { invoices { number url } } } }"""
        answer = data(ask(guest, asked, {"token": token_for(guest, order.display_id)}))
        (shown,) = answer["openOrderLookup"]["order"]["invoices"]
        assert shown["number"] == invoice.shown_number
        assert Client().get(shown["url"].removeprefix(PUBLIC_URL)).status_code == 200
