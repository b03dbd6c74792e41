"""What staff send about fulfillments."""

from typing import Any

from kit.rest.requests.input_fields import BooleanField, CharField, DictField, IntegerField, ListSerializer
from kit.rest.requests.inputs import Input
from orders.fulfillments.labels import LONGEST_URL, NewLabel
from orders.fulfillments.requested_items import ItemQuantity
from shop.api.serializers import PostalAddressInput

MOST_LABELS = 100


class UnmailedInput(Input):
    """A step that the customer gets no email about."""

    no_notification = BooleanField(
        required=False,
        allow_null=True,
        help_text="Accepted, but ignored: the customer gets an email about shipments only.",
    )

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        """Drop no_notification, which verbs do not take."""
        values: dict[str, Any] = super().to_internal_value(data)
        values.pop("no_notification", None)
        return values


class ItemQuantityInput(Input):
    """Units of a line of the order."""

    id = CharField(allow_blank=False, help_text="The id of the line.")
    quantity = IntegerField(min_value=1)

    def to_internal_value(self, data: Any) -> Any:
        """The input, as verbs take it."""
        values = super().to_internal_value(data)
        return ItemQuantity(values["id"], values["quantity"])


class FulfillmentInput(UnmailedInput):
    """Units to pack."""

    items = ListSerializer(child=ItemQuantityInput())
    location_id = CharField(
        required=False, allow_null=True, help_text="Optional if all units are reserved at one location."
    )
    shipping_option_id = CharField(
        required=False,
        allow_null=True,
        help_text="Determines the provider. The default is the first option of the order that ships the items.",
    )
    delivery_address = PostalAddressInput(
        required=False, allow_null=True, help_text="The default is the shipping address of the order."
    )
    metadata = DictField(required=False, allow_null=True)


class LabelInput(Input):
    """A parcel."""

    tracking_number = CharField(allow_blank=False)
    tracking_url = CharField(required=False, allow_null=True, max_length=LONGEST_URL)
    label_url = CharField(required=False, allow_null=True, max_length=LONGEST_URL)

    def to_internal_value(self, data: Any) -> Any:
        """The input, as verbs take it."""
        return NewLabel(**super().to_internal_value(data))


class FulfillmentItemInput(Input):
    """Units of a line of the order. The titles and codes of a fulfillment's items are those of the order."""

    line_item_id = CharField(
        required=False, allow_null=True, help_text="Required unless exactly one line has the `sku`."
    )
    quantity = IntegerField(min_value=1)
    sku = CharField(required=False)
    title = CharField(required=False, help_text="Ignored.")
    barcode = CharField(required=False, help_text="Ignored.")
    inventory_item_id = CharField(required=False, allow_null=True, help_text="Ignored: the reservation has it.")

    def to_internal_value(self, data: Any) -> Any:
        """The input, as verbs take it."""
        values = super().to_internal_value(data)
        return ItemQuantity(values.get("line_item_id") or "", values["quantity"], values.get("sku", ""))


class NewFulfillmentInput(FulfillmentInput):
    """Units of an order to pack."""

    order_id = CharField(allow_blank=False)
    items = ListSerializer(child=FulfillmentItemInput())
    provider_id = CharField(
        required=False, allow_null=True, help_text="Must be the provider of the shipping option, if that has one."
    )
    labels = ListSerializer(child=LabelInput(), required=False, max_length=MOST_LABELS)


class LabelsInput(Input):
    """The parcels of a shipment."""

    labels = ListSerializer(
        child=LabelInput(),
        required=False,
        max_length=MOST_LABELS,
        help_text="Added to the labels that the fulfillment has.",
    )
    no_notification = BooleanField(
        required=False, allow_null=True, help_text="Whether to send the customer no email about this shipment."
    )


class ShipmentInput(LabelsInput):
    """A shipment of the whole fulfillment."""

    items = ListSerializer(child=ItemQuantityInput(), help_text="All items of the fulfillment.")
    metadata = DictField(required=False, allow_null=True, help_text="Merged with that of the fulfillment.")


class NamedFulfillmentInput(UnmailedInput):
    """A fulfillment of the order."""

    fulfillment_id = CharField(allow_blank=False)


class NamedShipmentInput(ShipmentInput):
    """A shipment of a fulfillment of the order."""

    fulfillment_id = CharField(allow_blank=False)
