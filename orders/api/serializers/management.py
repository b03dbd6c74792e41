"""The inputs of managing orders, and notes."""

from typing import Any

from rest_framework import serializers

from kit.reads.declarations.fields import ResourceSerializer
from kit.rest.requests.input_fields import CharField, DictField
from kit.rest.requests.inputs import Input
from orders.managing.notes import LONGEST_NOTE
from orders.models import OrderNote
from shop.api.serializers import PostalAddressInput


class OrderAddressInput(PostalAddressInput):
    """Changes to an address of an order. Omitted fields stay; the country cannot be changed."""


class OrderChangesInput(Input):
    """Changes to an order. Metadata is merged; taxes and prices stay."""

    email = CharField(required=False, allow_blank=False, help_text="Where the emails of the order go.")
    shipping_address = OrderAddressInput(required=False)
    billing_address = OrderAddressInput(required=False)
    locale = CharField(required=False, allow_null=True)
    metadata = DictField(required=False, allow_null=True)


class OrderCompletionInput(Input):
    """Why an order is completed before all items are delivered and nothing is pending."""

    note = CharField(
        required=False, allow_null=True, max_length=LONGEST_NOTE, help_text="Stored as a note of the order."
    )
    additional_data = DictField(required=False, allow_null=True, help_text="Ignored.")

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        """Drop additional_data, which verbs do not take."""
        values: dict[str, Any] = super().to_internal_value(data)
        values.pop("additional_data", None)
        return values


class OrderNoteInput(Input):
    """A note about an order."""

    text = CharField(allow_blank=False, max_length=LONGEST_NOTE)


class NamedOrderNoteInput(OrderNoteInput):
    """A note, with its order."""

    order_id = CharField()


class OrderNoteSerializer(ResourceSerializer):
    """A note of staff about an order. Customers do not see it."""

    id = serializers.CharField()
    order_id = serializers.CharField()
    text = serializers.CharField(help_text="Empty once the order is erased.")
    created_by = serializers.CharField(allow_null=True, help_text="The id of the staff user.")
    created_at = serializers.DateTimeField()

    class Meta:
        model = OrderNote
