"""Orders that guests have found by number and email address: how they are asked for, and what is shown of them.

Why: docs/decisions/orders.md#guests-find-an-order-through-its-email-address.
"""

from typing import Any

from rest_framework import serializers

from carts.api.serializers.totals import TotalsSerializer
from kit.reads.declarations.computed import MoneyValue, PictureAddress, RowField
from kit.reads.declarations.fields import ResourceSerializer, ResourceSerializerClass, ToMany
from kit.rest.requests.input_fields import CharField
from kit.rest.requests.inputs import Input
from kit.values import email_address
from orders.access.signed_documents import LIFETIME, address_of
from orders.api.serializers.fulfillments import FulfillmentStepsSerializer
from orders.models import Fulfillment, FulfillmentItem, FulfillmentLabel, Invoice, Order, OrderLineItem
from orders.states import FulfillmentStatus, InvoiceKind, OrderStatus, PaymentStatus


class NumberField(CharField):
    """An order's number, which programs also send as an integer."""

    def run_validation(self, data: Any = serializers.empty) -> Any:
        is_number = isinstance(data, int) and not isinstance(data, bool)
        return super().run_validation(str(data) if is_number else data)


class OrderLookupInput(Input):
    """A guest's order, by its number and email address."""

    display_id = NumberField(help_text="The order's number, or its custom_display_id; REST also takes an integer.")
    email = CharField(help_text="The order's email address, in any letter case.")


class OrderLookupTokenInput(Input):
    """A link to an order."""

    token = CharField(help_text="The token of the email.")


def _item() -> ResourceSerializerClass:
    return FoundOrderItemSerializer


def _fulfillment() -> ResourceSerializerClass:
    return FoundOrderFulfillmentSerializer


def _document() -> ResourceSerializerClass:
    return FoundOrderInvoiceSerializer


def _piece() -> ResourceSerializerClass:
    return FoundOrderPieceSerializer


def _parcel() -> ResourceSerializerClass:
    return FoundOrderParcelSerializer


class FoundOrderItemSerializer(TotalsSerializer):
    """A quantity of one variant, as it was bought."""

    title = serializers.CharField()
    product_title = serializers.CharField(allow_null=True)
    variant_title = serializers.CharField(allow_null=True)
    thumbnail = PictureAddress(allow_null=True)
    unit_price = MoneyValue()
    quantity = serializers.IntegerField()
    fulfilled_quantity = serializers.IntegerField()
    shipped_quantity = serializers.IntegerField()
    delivered_quantity = serializers.IntegerField()
    return_requested_quantity = serializers.IntegerField()
    return_received_quantity = serializers.IntegerField()

    class Meta:
        model = OrderLineItem


class FoundOrderPieceSerializer(ResourceSerializer):
    """Pieces of an item in a fulfillment."""

    title = serializers.CharField()
    quantity = serializers.IntegerField()

    class Meta:
        model = FulfillmentItem


class FoundOrderParcelSerializer(ResourceSerializer):
    """A parcel, and how to follow it."""

    tracking_number = serializers.CharField()
    tracking_url = serializers.CharField(allow_null=True)

    class Meta:
        model = FulfillmentLabel


class FoundOrderFulfillmentSerializer(FulfillmentStepsSerializer):
    """Units that leave together."""

    items = ToMany(_piece, key="fulfillment_id", along=True)
    labels = ToMany(_parcel, key="fulfillment_id", along=True)

    class Meta:
        model = Fulfillment


class FoundOrderInvoiceSerializer(ResourceSerializer):
    """An invoice or a credit note, and where it can be read for a while."""

    kind = serializers.ChoiceField(choices=InvoiceKind.values)
    number = serializers.CharField(source="shown_number")
    issued_on = serializers.DateField()
    total = MoneyValue()
    url = RowField(
        serializers.CharField(),
        columns=("id",),
        compute=address_of,
        help_text=f"Opens this document alone, for {LIFETIME.seconds // 60} minutes.",
    )

    class Meta:
        model = Invoice


class FoundOrderSerializer(TotalsSerializer):
    """An order without ids, addresses and payments: who reads it can neither change it nor find more about it."""

    display_id = serializers.IntegerField(help_text="The order's number.")
    custom_display_id = serializers.CharField(allow_null=True, help_text="The number in the shop's own format.")
    status = serializers.ChoiceField(choices=OrderStatus.values)
    payment_status = serializers.ChoiceField(choices=PaymentStatus.values)
    fulfillment_status = serializers.ChoiceField(choices=FulfillmentStatus.values)
    email = RowField(
        serializers.CharField(), columns=("email",), compute=email_address.masked, help_text="The masked email address."
    )
    currency_code = serializers.CharField(source="currency_id")
    item_total = MoneyValue()
    shipping_total = MoneyValue()
    credit_line_total = MoneyValue(help_text="Paid by gift cards and store credit.")
    created_at = serializers.DateTimeField()
    canceled_at = serializers.DateTimeField(allow_null=True)
    items = ToMany(_item, key="order_id", order=("created_at",), along=True)
    fulfillments = ToMany(
        _fulfillment, key="order_id", order=("packed_at",), present_if=("fulfillment_count",), along=True
    )
    invoices = ToMany(_document, key="order_id", order=("issued_at",), present_if=("invoicing",), along=True)

    class Meta:
        model = Order
