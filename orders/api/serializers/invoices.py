"""Invoices and credit notes.

Why: docs/decisions/invoices.md#documents-follow-the-value-of-an-order.
"""

from typing import Any

from django.db.models import F
from rest_framework import serializers

from kit.reads.declarations.computed import MoneyValue, SqlField
from kit.reads.declarations.fields import ResourceSerializer, ResourceSerializerClass, ToMany
from kit.rest.requests.input_fields import CharField
from kit.rest.requests.inputs import Input
from orders.models import Invoice, InvoiceLine, InvoiceTax
from orders.states import InvoiceKind, InvoiceLineKind, InvoiceReason, TaxCategory

_BY_REQUEST = frozenset({"seller", "buyer", "paid_by"})


def _line() -> ResourceSerializerClass:
    return InvoiceLineSerializer


def _tax() -> ResourceSerializerClass:
    return InvoiceTaxSerializer


def _category() -> serializers.ChoiceField:
    return serializers.ChoiceField(
        choices=TaxCategory.values,
        help_text="By the codes of EN 16931: `S` taxed, `Z` at a rate of 0, `E` exempt, `O` outside the scope of tax.",
    )


class InvoiceLineSerializer(ResourceSerializer):
    """A line of a document: goods, shipping, a bought gift card, or a refund beyond what was owed."""

    id = serializers.CharField()
    kind = serializers.ChoiceField(choices=InvoiceLineKind.values)
    reference_id = serializers.CharField(
        allow_null=True, help_text="The id of the order's line or shipping method; null for a refund."
    )
    title = serializers.CharField()
    variant_title = serializers.CharField(allow_null=True)
    sku = serializers.CharField(allow_null=True)
    quantity = serializers.IntegerField()
    unit_price = MoneyValue(help_text="With tax if is_tax_inclusive, as discount_total.")
    is_tax_inclusive = serializers.BooleanField()
    discount_total = MoneyValue()
    category = _category()
    combination = serializers.CharField(help_text="The rates in percent, such as `5+9.975`; empty without tax.")
    subtotal = MoneyValue()
    tax_total = MoneyValue()
    total = MoneyValue()

    class Meta:
        model = InvoiceLine


class InvoiceTaxSerializer(ResourceSerializer):
    """One tax of a combination of rates, over all lines of a document that have it."""

    id = serializers.CharField()
    category = _category()
    combination = serializers.CharField()
    code = serializers.CharField()
    description = serializers.CharField(allow_null=True)
    rate = MoneyValue(help_text="Percent.")
    subtotal = MoneyValue(help_text="Without tax, of all lines of the combination.")
    total = MoneyValue(help_text="This tax.")

    class Meta:
        model = InvoiceTax


class InvoiceSerializer(ResourceSerializer):
    """An invoice or a credit note. Amounts of both are positive: a credit note takes its amounts back."""

    id = serializers.CharField()
    kind = serializers.ChoiceField(choices=InvoiceKind.values)
    number = serializers.CharField(source="shown_number", help_text="As printed, such as `R-2026-000012`.")
    order_id = serializers.CharField()
    corrects_id = serializers.CharField(
        allow_null=True,
        help_text="Of a credit note, the last invoice that has any of its lines; "
        "it may take back amounts of earlier ones, too.",
    )
    reason = serializers.ChoiceField(choices=InvoiceReason.values)
    issued_at = serializers.DateTimeField()
    issued_on = serializers.DateField(help_text="The day of issued_at in the shop's time zone.")
    supplied_on = serializers.DateField(allow_null=True)
    due_on = serializers.DateField(allow_null=True, help_text="Not set yet.")
    currency_code = serializers.CharField(source="currency_id")
    locale = serializers.CharField(allow_null=True)
    seller: Any = serializers.DictField(help_text="Texts by name.")
    buyer: Any = serializers.DictField(help_text="Texts by name; empty once erased.")
    paid_by: Any = serializers.ListField(
        child=serializers.DictField(), help_text="What had been paid: objects with `label` and `amount`."
    )
    subtotal = MoneyValue(help_text="Without tax.")
    tax_total = MoneyValue()
    total = MoneyValue(help_text="With tax.")
    lines = ToMany(_line, key="invoice_id", order=("position",))
    taxes = ToMany(_tax, key="invoice_id", order=("position",))

    class Meta:
        model = Invoice
        by_request = _BY_REQUEST


class AdminInvoiceSerializer(InvoiceSerializer):
    """An invoice or a credit note, for staff."""

    series_year = serializers.IntegerField(help_text="Numbers are gapless for each kind and year.")
    series_number = serializers.IntegerField(source="number")
    created_by = serializers.CharField(
        allow_null=True, help_text="The id of the staff user who asked for it; null where it followed from an event."
    )
    pdf_created_at = SqlField(
        serializers.DateTimeField(allow_null=True),
        expression=F("file__created_at"),
        help_text="When its PDF was rendered; null until then.",
    )

    class Meta:
        model = Invoice
        by_request = _BY_REQUEST | {"pdf_created_at"}


class OrderInvoicesSerializer(serializers.Serializer[Any]):
    """The documents of an order, the oldest first."""

    invoices = InvoiceSerializer(many=True)


class InvoicedOrderInput(Input):
    """The order to invoice."""

    order_id = CharField(allow_blank=False)
