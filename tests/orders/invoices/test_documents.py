"""What documents say, when they are written, and what can be done about them."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoCaptureOnCommitCallbacks

from carts.lines.lines import NewLineItem
from carts.models import Cart
from giftcards.cards.cancellation import cancel_bought_cards
from giftcards.spending.cart_cards import add_card
from giftcards.verification.verification import discrepancies
from kit.domain.actor import ANONYMOUS, SYSTEM
from kit.errors import Forbidden
from kit.messages.mails.models import Mail
from kit.messages.outbox.models import Event
from kit.values.timestamps import now
from orders.changes.added_lines import NewItem
from orders.changes.editing import edit
from orders.changes.items import LineChange
from orders.common.search.entries import refresh_entry
from orders.erasure import people
from orders.erasure.erasing import erase
from orders.erasure.preview import preview
from orders.erasure.retention import finish_erasures
from orders.fulfillments import delivery
from orders.invoices import triggers
from orders.invoices.correcting import correct
from orders.invoices.errors import SellerIncomplete
from orders.invoices.following import follow_value
from orders.invoices.issuing import issue
from orders.invoices.parties import EXEMPTION
from orders.invoices.printing import files
from orders.managing.cancellation import cancel
from orders.managing.details import change
from orders.models import (
    GrantedRefund,
    Invoice,
    InvoiceFile,
    InvoiceLine,
    InvoiceNumber,
    InvoiceTax,
    Order,
    OrderSearch,
)
from orders.states import InvoiceReason
from shop.models import Currency, Store
from tests.factories.carts import selling_region, shopper
from tests.factories.checkout import ADDRESS, checked_out_cart
from tests.factories.clock import at
from tests.factories.customers import CustomerFactory
from tests.factories.giftcards import gift_card
from tests.factories.taxes import tax_rate
from tests.orders.changes.shop import goods
from tests.orders.completing import order_of
from tests.orders.fulfillments.shop import pack
from tests.orders.invoices.shop import bought, documents, invoiced, lines, sells, sums
from tests.orders.managing.shop import refusal
from tests.orders.placed import gift
from tests.orders.refunds.shop import captured, refund
from tests.orders.returns.shop import receive, request

pytestmark = pytest.mark.django_db
CAPTURES = ("capture", "completion", "")


def invoicing(order: Order) -> str | None:
    order.refresh_from_db()
    return order.invoicing


def mixed(**given: Any) -> Order:
    """Case 57: tea 2 x 10.70 with 7 %, a mug of 11.90 and post of 4.90 with 19 %, all included."""
    Currency.objects.filter(code="usd").update(is_tax_inclusive=True)
    tea = goods("tea", "10.70")
    tax_rate("us", 7, products=[tea.product], code="reduced")
    region = selling_region(tax_rate=19, is_tax_inclusive=True)
    pieces = NewLineItem(tea.pk, 2), NewLineItem(goods("mug", "11.90").pk, 1)
    return invoiced(*pieces, shipping="4.90", region_id=region.pk, **given)


class TestWhen:
    def test_the_first_capture_writes_the_invoice_and_further_ones_none(self) -> None:
        sells()
        order = bought(NewLineItem(goods("mug", 10).pk, 2), captured=False)
        assert (documents(order), invoicing(order)) == ("", None)
        captured(order)
        assert (documents(order), invoicing(order)) == ("R1 25.00+0.00", "issued")
        assert follow_value(order.pk, reason=InvoiceReason.CHANGE) == []
        assert documents(order) == "R1 25.00+0.00"

    def test_with_completion_it_is_written_before_anything_is_paid(self, settings: Any) -> None:
        settings.INVOICE_ON = "completion"
        sells()
        order = bought(NewLineItem(goods("mug", 10).pk, 2), captured=False)
        assert documents(order) == "R1 25.00+0.00"
        assert Invoice.objects.get().paid_by == []
        captured(order)
        assert documents(order) == "R1 25.00+0.00"

    def test_by_hand_it_is_written_once(self, settings: Any) -> None:
        settings.INVOICE_ON = ""
        order = bought(NewLineItem(goods("mug", 10).pk, 2))
        assert (documents(order), invoicing(order)) == ("", None)
        kind, text = refusal(issue, actor=SYSTEM, order_id=order.pk)
        assert (kind, text) == (
            "not_allowed",
            SellerIncomplete(["legal name", "address", "city", "country", "tax number or registration number"]).message,
        )
        sells()
        assert Invoice.objects.get(pk=issue(actor=SYSTEM, order_id=order.pk)).created_by == SYSTEM.id
        assert documents(order) == "R1 25.00+0.00"
        assert refusal(issue, actor=SYSTEM, order_id=order.pk)[0] == "not_allowed"
        with pytest.raises(Forbidden):
            issue(actor=ANONYMOUS, order_id=order.pk)
        refund(order, 5)
        assert documents(order) == "R1 25.00+0.00, G1 5.00+0.00"

    def test_nothing_is_invoiced_of_a_canceled_order(self) -> None:
        sells()
        order = bought(NewLineItem(goods("mug", 10).pk, 2), captured=False)
        cancel(actor=SYSTEM, order_id=order.pk)
        assert "nothing to invoice" in refusal(issue, actor=SYSTEM, order_id=order.pk)[1]
        assert (documents(order), invoicing(order)) == ("", None)

    def test_an_order_without_anything_to_pay_is_invoiced_when_it_is_placed(self) -> None:
        """Case 59."""
        sells()
        pieces = NewLineItem(goods("mug", 10).pk, 2), NewLineItem(goods("tee", 25).pk, 1)
        cart = checked_out_cart(*pieces, region_id=selling_region(tax_rate=20).pk)
        add_card(actor=shopper(), cart_id=cart.pk, code=gift_card(60).code)
        order = order_of(Cart.objects.get(pk=cart.pk))
        assert documents(order) == "R1 50.00+10.00"
        assert Invoice.objects.get().paid_by == [{"label": "Gift card", "amount": "60.00"}]

    def test_documents_wait_for_the_seller_and_are_then_one(self) -> None:
        order = bought(NewLineItem(goods("mug", 10).pk, 2))
        assert (documents(order), invoicing(order)) == ("", "waiting")
        refund(order, 5)
        sells()
        with transaction.atomic():
            assert len(follow_value(order.pk, reason=InvoiceReason.SALE)) == 1
        assert lines(order) == [
            "R1 2 mug 10.00 -0.00 = 20.00+0.00 Z",
            "R1 1 post 5.00 -0.00 = 5.00+0.00 Z",
            "R1 1 Refund -5.00 -0.00 = -5.00+0.00 Z",
        ]
        assert (invoicing(order), list(discrepancies())) == ("issued", [])

    def test_an_issued_order_waits_for_missing_documents_alone_and_is_found_by_those_it_has(self) -> None:
        order = invoiced()
        refresh_entry(order.pk)
        entry = OrderSearch.objects.filter(order=order).values("terms", "marked").get()
        Store.objects.update(city=None)
        assert follow_value(order.pk, reason=InvoiceReason.CHANGE) == []
        assert invoicing(order) == "issued"
        refund(order, 5)
        assert invoicing(order) == "waiting"
        refresh_entry(order.pk)
        assert OrderSearch.objects.filter(order=order).values("terms", "marked").get() == entry

    def test_an_order_that_waits_and_is_canceled_waits_no_longer(self) -> None:
        order = bought(NewLineItem(goods("mug", 10).pk, 2))
        cancel(actor=SYSTEM, order_id=order.pk)
        assert (documents(order), invoicing(order)) == ("", None)

    def test_what_is_not_due_costs_no_statement(self, settings: Any) -> None:
        settings.INVOICE_ON = ""
        order = bought(NewLineItem(goods("mug", 10).pk, 2), captured=False)
        with CaptureQueriesContext(connection) as ran:
            captured(order)
        assert not [query for query in ran.captured_queries if "invoice" in query["sql"].replace('"invoicing"', "")]

    def test_an_order_that_was_captured_before_there_were_invoices_gets_none_without_a_new_capture(
        self, settings: Any
    ) -> None:
        settings.INVOICE_ON = ""
        order = bought(NewLineItem(goods("mug", 10).pk, 2))
        settings.INVOICE_ON = "capture"
        sells()
        lamp = NewItem(goods("lamp", 25).pk, 1)
        assert edit(actor=SYSTEM, order_id=order.pk, added_items=[lamp]).pending_difference == 25_0000
        added = LineChange(order.items.get(title="lamp").pk, 0, None, {})
        edit(actor=SYSTEM, order_id=order.pk, changed_items=[added])
        order.refresh_from_db()
        assert (order.payment_status, documents(order), invoicing(order)) == ("captured", "", None)

    def test_they_are_reported_with_ids_alone(self) -> None:
        order = invoiced()
        refund(order, 5)
        reported = Event.objects.filter(name__in=["invoice.created", "credit_note.created"]).order_by("pk")
        ids = dict(Invoice.objects.values_list("kind", "pk"))
        assert [(each.name, each.data) for each in reported] == [
            ("invoice.created", {"id": ids["invoice"], "order_id": order.pk}),
            ("credit_note.created", {"id": ids["credit_note"], "order_id": order.pk}),
        ]


class TestWhat:
    def test_each_combination_of_rates_is_summed_and_refunds_are_shared(self) -> None:
        """Case 57."""
        order = mixed()
        assert lines(order) == [
            "R1 2 tea 10.70 -0.00 = 20.00+1.40 S7",
            "R1 1 mug 11.90 -0.00 = 10.00+1.90 S19",
            "R1 1 post 4.90 -0.00 = 4.12+0.78 S19",
        ]
        refund(order, 5)
        assert lines(order)[3:] == [
            "G1 1 Refund 2.80 -0.00 = 2.62+0.18 S7",
            "G1 1 Refund 2.20 -0.00 = 1.85+0.35 S19",
        ]
        taxes = InvoiceTax.objects.order_by("invoice__kind", "position")
        assert [(f"{row.rate:.0f}", f"{row.subtotal:.2f}", f"{row.total:.2f}") for row in taxes] == [
            *(("19", "1.85", "0.35"), ("7", "2.62", "0.18")),
            *(("19", "14.12", "2.68"), ("7", "20.00", "1.40")),
        ]
        assert Invoice.objects.get(kind="credit_note").corrects == Invoice.objects.get(kind="invoice")
        assert list(discrepancies()) == []

    def test_an_exempt_buyer_is_named_and_pays_net_prices(self) -> None:
        Currency.objects.filter(code="usd").update(is_tax_inclusive=True)
        region = selling_region(tax_rate=20, is_tax_inclusive=True)
        customer = CustomerFactory(is_tax_exempt=True, tax_number="DE123")
        piece = NewLineItem(goods("mug", 10).pk, 3)
        order = invoiced(piece, region_id=region.pk, customer_id=customer.pk, shipping="6.00")
        assert lines(order) == ["R1 3 mug 8.33 -0.00 = 25.00+0.00 E", "R1 1 post 5.00 -0.00 = 5.00+0.00 E"]
        buyer = Invoice.objects.get().buyer
        assert (buyer["exemption"], buyer["tax_number"], buyer["country_code"]) == (EXEMPTION, "DE123", "us")

    def test_a_rate_of_nothing_is_no_exemption(self) -> None:
        book = goods("book", 10)
        tax_rate("us", 0, products=[book.product], code="zero")
        order = invoiced(NewLineItem(book.pk, 1), region_id=selling_region(tax_rate=20).pk)
        assert lines(order) == ["R1 1 book 10.00 -0.00 = 10.00+0.00 Z0", "R1 1 post 5.00 -0.00 = 5.00+1.00 S20"]
        assert [f"{tax.category}{tax.combination}" for tax in InvoiceTax.objects.order_by("position")] == ["S20", "Z0"]

    def test_several_rates_are_one_combination(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(ADDRESS, "province", "us-ny")
        tax_rate("us", 5, code="gst")
        tax_rate("us", "9.975", "us-ny", code="qst", is_combinable=True)
        order = invoiced(NewLineItem(goods("mug", 100).pk, 1), region_id=selling_region(tax_rate=5).pk, shipping=0)
        assert lines(order)[0] == "R1 1 mug 100.00 -0.00 = 100.00+14.98 S5+9.975"
        refund(order, "1.15")
        assert lines(order)[-1] == "G1 1 Refund 1.15 -0.00 = 1.00+0.15 S5+9.975"
        taxes = InvoiceTax.objects.filter(invoice__kind="credit_note").order_by("position")
        assert [(f"{row.rate.normalize()}", f"{row.total:.2f}") for row in taxes] == [("5", "0.05"), ("9.975", "0.10")]

    def test_bought_gift_cards_are_outside_the_scope_of_tax(self) -> None:
        pieces = NewLineItem(gift(50).pk, 1), NewLineItem(goods("mug", 20).pk, 1)
        order = invoiced(*pieces, region_id=selling_region(tax_rate=10).pk, shipping=0)
        assert sums(order)["O", ""] == (50, 50)
        refund(order, 5)
        assert sums(order)["O", ""] == (50, 50)
        card_line = order.items.get(is_giftcard=True)
        with transaction.atomic():
            cancel_bought_cards([card_line.pk])
        refund(order, 50)
        assert lines(order)[-1] == "G2 1 Refund 50.00 -0.00 = 50.00+0.00 O"
        assert (sums(order)["O", ""], sums(order)["S", "10"][1]) == ((0, 0), 17)
        assert list(discrepancies()) == []


class TestCorrections:
    def test_a_wrong_address_is_taken_back_and_written_anew(self) -> None:
        """Case 55."""
        order = invoiced()
        change(actor=SYSTEM, order_id=order.pk, billing_address={"city": "Albany"})
        order.refresh_from_db()
        before = (order.total, order.paid_total, order.version)
        first = Invoice.objects.get()
        written = correct(actor=SYSTEM, invoice_id=first.pk)
        assert documents(order) == "R1 50.00+10.00, G1 50.00+10.00, R2 50.00+10.00"
        note, second = (Invoice.objects.get(pk=key) for key in written)
        assert (note.corrects, second.corrects, note.reason) == (first, None, "correction")
        assert (first.buyer["city"], note.buyer["city"], second.buyer["city"]) == ("New York", "Albany", "Albany")
        assert second.paid_by == [{"label": "System default", "amount": "60.00"}]
        order.refresh_from_db()
        assert (order.total, order.paid_total, order.version) == before
        assert list(discrepancies()) == []

    def test_refunds_are_on_the_new_invoice(self) -> None:
        order = invoiced()
        refund(order, 5)
        correct(actor=SYSTEM, invoice_id=Invoice.objects.get(kind="invoice").pk)
        assert documents(order) == "R1 50.00+10.00, G1 4.17+0.83, G2 45.83+9.17, R2 45.83+9.17"
        cancel(actor=SYSTEM, order_id=order.pk)
        assert documents(order).endswith(", G3 45.83+9.17")
        assert set(sums(order).values()) == {(0, 0)}
        assert "nothing to correct" in refusal(correct, actor=SYSTEM, invoice_id=Invoice.objects.first().pk)[1]

    def test_what_is_no_invoice_or_may_not_be_corrected_is_refused(self) -> None:
        order = invoiced()
        refund(order, 5)
        note = Invoice.objects.get(kind="credit_note")
        assert refusal(correct, actor=SYSTEM, invoice_id=note.pk)[0] == "not_allowed"
        assert refusal(correct, actor=SYSTEM, invoice_id="inv_none")[0] == "not_found"
        with pytest.raises(Forbidden):
            correct(actor=ANONYMOUS, invoice_id=note.corrects_id)
        Store.objects.update(city=None)
        assert "city" in refusal(correct, actor=SYSTEM, invoice_id=note.corrects_id)[1]

    def test_what_moves_a_cent_alone_is_not_mailed_and_settled_refunds_are_not_taken_back(self) -> None:
        """3 x 1.14 + 20 % are 3.42 + 0.68, 2 are 2.28 + 0.46: one is 1.14 + 0.22, and 1.36 refunded are 1.13 + 0.23."""
        region = selling_region(tax_rate=20)
        order = invoiced(NewLineItem(goods("mug", "1.14").pk, 3), region_id=region.pk, shipping=0)
        delivery.deliver(actor=SYSTEM, fulfillment_id=pack(order, 3).pk)
        refund(order, "1.36")
        returned = request(order, 1)
        GrantedRefund.objects.update(return_id=returned.pk)
        receive(returned, 1)
        assert documents(order) == "R1 3.42+0.68, G1 1.13+0.23, G2 0.01+-0.01"
        notes = Invoice.objects.filter(kind="credit_note").order_by("number")
        assert list(Mail.objects.filter(kind="credit_note").values_list("about", flat=True)) == [notes[0].pk]
        correct(actor=SYSTEM, invoice_id=Invoice.objects.get(kind="invoice").pk)
        assert [line for line in lines(order) if line.startswith("G3")] == [
            "G3 2 mug 1.14 -0.00 = 2.28+0.46 S20",
            "G3 1 post 0.00 -0.00 = 0.00+0.00 S20",
        ]


class TestNumbers:
    def test_they_begin_again_with_the_year_of_the_shop_and_times_never_fall(self, settings: Any) -> None:
        """Case 58. The clock of the second server is a second behind."""
        settings.TIME_ZONE = "Europe/Berlin"
        settings.INVOICE_NUMBER_FORMAT = "{year}/{number}"
        orders = [bought(NewLineItem(goods(f"mug {place}", 10).pk, 1), captured=False) for place in range(4)]
        sells()
        midnight = datetime(2026, 12, 31, 23, 0, 0, tzinfo=UTC)
        for order, seconds in zip(orders, (-1, -2, 0, -1), strict=True):
            with at(midnight + timedelta(seconds=seconds)):
                captured(order)
        rows = [Invoice.objects.get(order=order) for order in orders]
        assert [row.shown_number for row in rows] == ["2026/1", "2026/2", "2027/1", "2026/3"]
        assert [f"{row.issued_on}" for row in rows] == ["2026-12-31", "2026-12-31", "2027-01-01", "2026-12-31"]
        assert rows[1].issued_at == rows[0].issued_at
        assert list(discrepancies()) == []

    def test_they_are_taken_after_all_other_locks(self) -> None:
        order = invoiced()
        with CaptureQueriesContext(connection) as ran:
            cancel(actor=SYSTEM, order_id=order.pk)
        texts = [query["sql"] for query in ran.captured_queries if "SAVEPOINT" not in query["sql"]]
        (place,) = [place for place, text in enumerate(texts) if 'INSERT INTO "orders_invoicenumber"' in text]
        written = [text for text in texts[place + 1 :] if not text.startswith("SELECT")]
        assert [re.findall(r'^(?:INSERT INTO|UPDATE) "?(\w+)', text)[0] for text in written] == [
            *("orders_invoice", "orders_ordersearch", "outbox_event", "mails_mail"),
        ]

    def test_a_rollback_gives_the_numbers_back(self) -> None:
        """Case 56."""
        order = invoiced()
        with transaction.atomic():
            correct(actor=SYSTEM, invoice_id=Invoice.objects.get().pk)
            transaction.set_rollback(True)
        refund(order, 5)
        assert documents(order) == "R1 50.00+10.00, G1 4.17+0.83"
        assert sorted(InvoiceNumber.objects.values_list("kind", "last")) == [("credit_note", 1), ("invoice", 1)]


class TestKept:
    @pytest.mark.parametrize("model", [Invoice, InvoiceLine, InvoiceTax])
    def test_the_database_refuses_changes(self, model: Any) -> None:
        invoiced()
        rows = model.objects.all()
        for act in (lambda: rows.update(total=0), lambda: rows._raw_delete("default")):
            with pytest.raises(DatabaseError, match=triggers.DOCUMENT_STAYS), transaction.atomic():
                act()

    def test_the_buyer_can_be_emptied_and_nothing_else(self) -> None:
        invoiced()
        stays = {"buyer": {}, "locale": "de"}, {"buyer": {}, "country_code": "de"}, {"seller": {}}, {"corrects": None}
        for changes in ({"buyer": {"city": "X"}}, *stays):
            with pytest.raises(DatabaseError, match=triggers.DOCUMENT_STAYS), transaction.atomic():
                Invoice.objects.update(**({"created_by": "user_1"} if changes == {"corrects": None} else changes))
        assert Invoice.objects.update(buyer={}) == 1

    def test_documents_of_an_erased_order_name_the_buyer_that_those_before_do(self) -> None:
        order = invoiced()
        Order.objects.filter(pk=order.pk).update(status="completed")
        erase(actor=SYSTEM, person=people.guest_of(order.pk))
        refund(order, 5)
        first, note = Invoice.objects.order_by("-kind")
        assert (note.kind, note.buyer["city"]) == ("credit_note", "New York")
        assert note.buyer == first.buyer
        kind, text = refusal(correct, actor=SYSTEM, invoice_id=first.pk)
        assert (kind, text.split(":")[0]) == ("not_allowed", "The order's personal data were erased")

    def test_an_erasure_keeps_the_buyer_for_as_long_as_the_law_wants(
        self,
        settings: Any,
        tmp_path: Path,
        django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
    ) -> None:
        settings.INVOICE_DIR = str(tmp_path)
        order = invoiced()
        files.keep(Invoice.objects.get(), b"%PDF-1.7")
        Order.objects.filter(pk=order.pk).update(status="completed")
        person = people.guest_of(order.pk)
        days = settings.INVOICE_RETENTION_DAYS
        assert ("Erased later from 1 document") in dict(preview(person))
        erase(actor=SYSTEM, person=person)
        assert Invoice.objects.get().buyer["city"] == "New York"
        with at(now() + timedelta(days=days - 1)):
            finish_erasures()
        assert Invoice.objects.get().buyer["city"] == "New York"
        assert len(list(tmp_path.iterdir())) == 1
        with at(now() + timedelta(days=days)):
            with django_capture_on_commit_callbacks() as undone:
                finish_erasures()
            assert (len(undone), len(list(tmp_path.iterdir())), InvoiceFile.objects.count()) == (1, 1, 1)
            with django_capture_on_commit_callbacks(execute=True):  # after a crash
                finish_erasures()
        assert Invoice.objects.get().buyer == {}
        assert (list(tmp_path.iterdir()), InvoiceFile.objects.count()) == ([], 0)
        assert documents(order) == "R1 50.00+10.00"

    def test_a_pdf_without_a_row_is_deleted_with_the_buyer(self, settings: Any, tmp_path: Path) -> None:
        settings.INVOICE_DIR = str(tmp_path)
        document = Invoice.objects.get(order=invoiced())
        files.keep(document, b"%PDF-1.7")
        InvoiceFile.objects.all().delete()
        files.discard([document.pk])
        assert list(tmp_path.iterdir()) == []
