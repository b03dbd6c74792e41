"""The screens of invoices and credit notes. They are read-only: documents never change."""

from decimal import Decimal
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from unfold.contrib.filters.admin import RelatedDropdownFilter

from kit.admin.actions.row_action import row_action
from kit.admin.forms.days_filter import DaysFilter
from kit.admin.forms.record_section import record_section
from kit.admin.lists.amounts import amount_cell
from kit.admin.lists.label_column import label_column
from kit.admin.lists.row_link import opening_link
from kit.admin.request_actor import request_actor
from kit.admin.screens.read_only_admin import ReadOnlyAdmin
from kit.admin.sections import Section
from kit.query.conditions import as_q
from kit.search.conditions import answerable
from kit.values.shown_dates import shown_date
from kit.values.written_amounts import written
from orders.admin.actions import ACTIONS, action_url, may_take
from orders.admin.invoices.inlines import LineInline, TaxInline
from orders.admin.invoices.printing import print_invoices, print_selected
from orders.admin.order_page.formatting import stacked
from orders.admin.order_state import OrderState
from orders.common.search.searching import searched_documents
from orders.invoices.printing.contents import contents
from orders.invoices.printing.responses import pdf_response
from orders.models import Invoice, InvoiceFile
from staff.authors import author, with_author

_CORRECTING = "correct-invoice"


@admin.register(Invoice)
class InvoiceAdmin(ReadOnlyAdmin[Invoice]):
    """Invoices and credit notes, the newest first, and the page of each."""

    section = Section.ORDERS
    icon = "receipt_long"
    menu_title = "Invoices and credit notes"
    nothing_yet = "An invoice is written when an order is captured, or as INVOICE_ON says."
    made_on = "orders.order"
    inlines = (LineInline, TaxInline)
    actions = ("print_selected",)
    actions_detail = ("correct", "print", "pdf")

    list_display = ("shown", "type", "order", "buyer_name", "issued", "worth", "reason")
    list_filter = ("kind", ("issued_at", DaysFilter), ("currency", RelatedDropdownFilter))
    list_filter_submit = True
    list_select_related = ("order", "currency")
    search_fields = ("shown_number",)
    search_help_text = "Number of the document; number, buyer, item or anything else of its order"
    list_per_page = 25
    ordering = ("-issued_at", "-id")
    readonly_fields = ("shown", "type", "order_link", "corrected", "credited", "sold_by", "bought_by", "paid", "author")
    fieldsets = (
        (None, {"fields": ("shown", "type", "reason", "order_link", "corrected", "credited")}),
        (None, {"fields": ("issued_on", "supplied_on", "due_on", "bought_by", "sold_by")}),
        (None, {"fields": ("subtotal", "tax_total", "total", "paid")}),
        record_section("id", "issued_at", "locale", "author"),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Invoice]:
        rows: QuerySet[Invoice] = super().get_queryset(request)
        return with_author(rows.select_related("order", "currency", "corrects"))

    def search(
        self, request: HttpRequest, queryset: QuerySet[Invoice], search_term: str
    ) -> tuple[QuerySet[Invoice], bool]:
        """Search like `q` of `GET /admin/invoices`."""
        found = answerable(searched_documents(search_term), Invoice, QuerySet)
        return queryset.filter(as_q(found, Invoice, QuerySet)), False

    def add_links(self, request: HttpRequest, rows: list[Any]) -> None:
        """Who is shown the rows: links are for those who may open them."""
        for row in rows:
            row.shown_to = request

    @admin.display(description="Number", ordering="shown_number")
    def shown(self, row: Invoice) -> str:
        return row.shown_number

    @admin.display(description="Issued", ordering="issued_at")
    def issued(self, row: Invoice) -> str:
        return shown_date(row.issued_on)

    @label_column(description="Kind", colours={"Credit Note": "warning", "Invoice": "info"})
    def type(self, row: Invoice) -> str:
        return str(row.get_kind_display())

    @admin.display(description="Buyer")
    def buyer_name(self, row: Invoice) -> str:
        name = " ".join(filter(None, (row.buyer.get("first_name"), row.buyer.get("last_name"))))
        return name or row.buyer.get("company") or row.buyer.get("email") or ""

    @admin.display(description="Total", ordering="total")
    def worth(self, row: Invoice) -> str:
        return amount_cell(row.total, row.currency_id)

    @admin.display(description="Order")
    def order_link(self, row: Any) -> str:
        return opening_link(row.shown_to, row.order)

    @admin.display(description="Credit note to")
    def corrected(self, row: Any) -> str:
        return opening_link(row.shown_to, row.corrects) if row.corrects else ""

    @admin.display(description="Credit notes")
    def credited(self, row: Any) -> str:
        return stacked(opening_link(row.shown_to, note) for note in row.credit_notes.order_by("issued_at", "pk"))

    @admin.display(description="Seller")
    def sold_by(self, row: Invoice) -> str:
        return stacked(_texts(row)["seller"]["lines"])

    @admin.display(description="Buyer")
    def bought_by(self, row: Invoice) -> str:
        buyer = _texts(row)["buyer"]
        return stacked([*buyer["lines"], buyer.get("tax_number", "")]) or "Erased"

    @admin.display(description="Paid by")
    def paid(self, row: Invoice) -> str:
        amounts = ((each["label"], Decimal(str(each["amount"]))) for each in row.paid_by)
        return stacked(f"{label}: {written(amount, row.currency_id)}" for label, amount in amounts)

    @admin.display(description="Written by")
    def author(self, row: Any) -> str:
        return author(row) or "The shop"

    # --- Buttons and actions -----------------------------------------------------------------------------------------

    @row_action(description="Correct", icon="undo")
    def correct(self, request: HttpRequest, object_id: str) -> HttpResponse:
        row = self.get_object_or_404(request, object_id)
        return redirect(action_url(row.order_id, _CORRECTING, row.pk))

    @row_action(description="Print", icon="print")
    def print(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return print_invoices(request, [self.get_object_or_404(request, object_id).pk])

    @row_action(description="PDF", icon="download")
    def pdf(self, request: HttpRequest, object_id: str) -> HttpResponse:
        found = pdf_response(self.get_object_or_404(request, object_id))
        if found is None:
            raise Http404
        return found

    def has_correct_permission(self, request: HttpRequest, object_id: str | None = None) -> bool:
        actor = request_actor(request)
        return actor.may("orders.view_order") and may_take(actor, ACTIONS[_CORRECTING])

    def has_print_permission(self, request: HttpRequest, object_id: str | None = None) -> bool:
        return bool(self.has_view_permission(request))

    has_pdf_permission = has_print_permission

    def offers_action(self, request: HttpRequest, row: Invoice, name: str) -> bool:
        """Correct what the order's page offers to correct; send only PDFs that there are."""
        if name == "correct":
            return row.pk in ACTIONS[_CORRECTING].targets(OrderState(row.order))
        return name == "print" or InvoiceFile.objects.filter(pk=row.pk).exists()

    @admin.action(description="Print selected documents", permissions=["view"])
    def print_selected(self, request: HttpRequest, rows: QuerySet[Invoice]) -> HttpResponse | None:
        return print_selected(self, request, rows)


def _texts(row: Any) -> Any:
    """The texts of the document, computed once for its page."""
    if not hasattr(row, "texts"):
        row.texts = contents(row)
    return row.texts
