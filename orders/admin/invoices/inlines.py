"""The lines and the taxes on the page of a document. They are read-only."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from kit.admin.inlines.read_only_inline import ReadOnlyInline
from kit.admin.lists.amounts import amount_cell
from kit.values.money import percent_text
from orders.invoices.printing.contents import rates_text
from orders.models import InvoiceLine, InvoiceTax


class _PartInline(ReadOnlyInline):
    """Rows of a document."""

    permission = "orders.view_invoice"
    ordering = ("position",)

    @admin.display(description="Without tax")
    def net(self, row: Any) -> str:
        return amount_cell(row.subtotal, row.invoice.currency_id)

    @admin.display(description="Total")
    def gross(self, row: Any) -> str:
        return amount_cell(row.total, row.invoice.currency_id)

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).select_related("invoice")


class LineInline(_PartInline):
    """The lines."""

    model = InvoiceLine
    verbose_name_plural = "Lines"
    fields = readonly_fields = ("item", "code", "quantity", "price", "discount", "rates", "net", "tax", "gross")

    @admin.display(description="SKU")
    def code(self, row: InvoiceLine) -> str:
        return row.sku or ""

    @admin.display(description="Item")
    def item(self, row: InvoiceLine) -> str:
        return f"{row.title} ({row.variant_title})" if row.variant_title else row.title

    @admin.display(description="Price")
    def price(self, row: InvoiceLine) -> str:
        return amount_cell(row.unit_price, row.invoice.currency_id)

    @admin.display(description="Discount")
    def discount(self, row: InvoiceLine) -> str:
        return amount_cell(row.discount_total, row.invoice.currency_id) if row.discount_total else ""

    @admin.display(description="Tax rate")
    def rates(self, row: InvoiceLine) -> str:
        return rates_text(row.combination) or str(row.get_category_display())

    @admin.display(description="Tax")
    def tax(self, row: InvoiceLine) -> str:
        return amount_cell(row.tax_total, row.invoice.currency_id)


class TaxInline(_PartInline):
    """The taxes."""

    model = InvoiceTax
    verbose_name_plural = "Taxes"
    fields = readonly_fields = ("name", "share", "net", "gross")

    @admin.display(description="Tax")
    def name(self, row: InvoiceTax) -> str:
        return row.description or row.code or row.get_category_display()

    @admin.display(description="Rate")
    def share(self, row: InvoiceTax) -> str:
        return percent_text(row.rate)
