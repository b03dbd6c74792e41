"""Fulfillments of orders, with their items and labels."""

from django.db import models
from django.db.models import F, Q

from kit.domain.base_model import BaseModel
from kit.values.ids import ID_MAX_LENGTH, IdField
from kit.values.timestamps import TimestampField, now
from orders.models.items import OrderLineItem
from orders.models.orders import Order, OrderAddress, OrderPartQuerySet
from shop.models import FulfillmentProvider, StockLocation

TO_SHIP = Q(requires_shipping=True, shipped_at=None, delivered_at=None, canceled_at=None)
"""Packed, but not shipped yet."""


class Fulfillment(BaseModel):
    """Units of an order that leave one location together. One that is shipped or delivered is never canceled.

    location: null if nothing is taken from stock and staff named none. provider: null without a shipping option.
    shipping_option_id: the row may no longer exist. delivery_address: as it was when the items were packed.
    created_by, marked_shipped_by, delivered_by, canceled_by: ids of staff users; null if a provider did it.
    cancel_reason: why the provider refused it.
    data: from the provider, which receives it again with later requests.
    """

    id = IdField(prefix="ful")
    order = models.ForeignKey(Order, on_delete=models.PROTECT, related_name="fulfillments")
    location = models.ForeignKey(StockLocation, null=True, on_delete=models.PROTECT, related_name="+")
    provider = models.ForeignKey(FulfillmentProvider, null=True, on_delete=models.PROTECT, related_name="+")
    shipping_option_id = models.CharField(max_length=ID_MAX_LENGTH, null=True)
    delivery_address = models.ForeignKey(OrderAddress, null=True, on_delete=models.PROTECT, related_name="+")
    requires_shipping = models.BooleanField()
    packed_at = TimestampField()
    shipped_at = TimestampField(null=True)
    delivered_at = TimestampField(null=True)
    canceled_at = TimestampField(null=True)
    cancel_reason = models.TextField(null=True)
    created_by = models.CharField(max_length=ID_MAX_LENGTH, null=True)
    marked_shipped_by = models.CharField(max_length=ID_MAX_LENGTH, null=True)
    delivered_by = models.CharField(max_length=ID_MAX_LENGTH, null=True)
    canceled_by = models.CharField(max_length=ID_MAX_LENGTH, null=True)
    data = models.JSONField(default=dict)
    metadata = models.JSONField(null=True)

    objects = OrderPartQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(fields=["order"], condition=TO_SHIP, name="orders_fulfillment_to_ship"),
            models.Index(fields=["order"], condition=Q(cancel_reason__isnull=False), name="orders_fulfillment_refused"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(canceled_at=None) | Q(shipped_at=None, delivered_at=None),
                name="orders_fulfillment_canceled_before_shipped",
            ),
            models.CheckConstraint(
                condition=Q(cancel_reason=None) | Q(canceled_at__isnull=False), name="orders_fulfillment_cancel_reason"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.id} of {self.order}"


class FulfillmentPartQuerySet(OrderPartQuerySet):
    """Rows that belong to a fulfillment."""

    order = "fulfillment__order__"


class FulfillmentItem(BaseModel):
    """Pieces of one inventory item for a line; a kit has one row for each of its items.

    units: of the line, the same in all its rows of a fulfillment. quantity: pieces of the item for all units.
    inventory_item_id: the row may no longer exist; null if the line takes nothing from stock.
    """

    id = IdField(prefix="fulit")
    fulfillment = models.ForeignKey(Fulfillment, on_delete=models.CASCADE, related_name="items")
    line_item = models.ForeignKey(OrderLineItem, on_delete=models.PROTECT, related_name="fulfillment_items")
    inventory_item_id = models.CharField(max_length=ID_MAX_LENGTH, null=True)
    title = models.TextField()
    sku = models.TextField()
    barcode = models.TextField()
    units = models.PositiveIntegerField()
    quantity = models.PositiveIntegerField()

    objects = FulfillmentPartQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["fulfillment", "line_item", "inventory_item_id"], name="orders_fulfillmentitem_taken"
            ),
            models.UniqueConstraint(
                fields=["fulfillment", "line_item"],
                condition=Q(inventory_item_id=None),
                name="orders_fulfillmentitem_unmanaged_taken",
            ),
            models.CheckConstraint(
                condition=Q(units__gte=1, quantity__gte=F("units")), name="orders_fulfillmentitem_some"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.quantity} x {self.title}"


def _is_web_url(field: str) -> Q:
    """Null, or a URL with http:// or https://."""
    return Q(**{field: None}) | Q(**{f"{field}__startswith": "https://"}) | Q(**{f"{field}__startswith": "http://"})


class FulfillmentLabel(BaseModel):
    """A parcel: its tracking number, tracking page and the label to print."""

    id = IdField(prefix="fulla")
    fulfillment = models.ForeignKey(Fulfillment, on_delete=models.CASCADE, related_name="labels")
    tracking_number = models.CharField(max_length=255)
    tracking_url = models.TextField(null=True)
    label_url = models.TextField(null=True)

    objects = FulfillmentPartQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=_is_web_url("tracking_url") & _is_web_url("label_url"), name="orders_fulfillmentlabel_urls"
            )
        ]

    def __str__(self) -> str:
        return self.tracking_number


class CarrierEvent(models.Model):
    """An event from a fulfillment provider, applied once. event_id: the provider's own id."""

    provider = models.ForeignKey(FulfillmentProvider, on_delete=models.PROTECT, related_name="+")
    event_id = models.CharField(max_length=255)
    fulfillment = models.ForeignKey(Fulfillment, on_delete=models.PROTECT, related_name="events")
    created_at = TimestampField(default=now, editable=False)

    objects = models.Manager["CarrierEvent"]()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["provider", "event_id"], name="orders_carrierevent_once")]

    def __str__(self) -> str:
        return self.event_id
