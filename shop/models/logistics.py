"""Stock locations and shipping profiles."""

from django.db import models

from kit.domain.base_model import BackOfficeQuerySet, BaseModel, unique_unless_deleted
from kit.values.ids import IdField
from shop.models.addresses import Place
from shop.models.store import FulfillmentProvider, SalesChannel


class StockLocationAddress(Place, BaseModel):
    """The address of a stock location."""

    id = IdField(prefix="laddr")

    objects = BackOfficeQuerySet.as_manager()


class StockLocation(BaseModel):
    """A warehouse or shop that holds stock for its sales channels.

    fulfillment_providers: those that programs offer for shipping from it. Shipping options can have others.
    """

    id = IdField(prefix="sloc")
    name = models.CharField(max_length=255)
    address = models.OneToOneField(
        StockLocationAddress, null=True, blank=True, on_delete=models.SET_NULL, related_name="location"
    )
    sales_channels = models.ManyToManyField(SalesChannel, blank=True, related_name="stock_locations")
    fulfillment_providers = models.ManyToManyField(FulfillmentProvider, blank=True, related_name="stock_locations")
    metadata = models.JSONField(null=True, blank=True)

    objects = BackOfficeQuerySet.as_manager()

    class Meta:
        constraints = [unique_unless_deleted("name", name="shop_stocklocation_name_taken")]

    def __str__(self) -> str:
        return self.name


class ShippingProfile(BaseModel):
    """A group of products that ship alike, such as `default`, or `gift_card` for those that need no shipping."""

    id = IdField(prefix="sp")
    name = models.CharField(max_length=255)
    type = models.CharField(max_length=255, default="default")
    metadata = models.JSONField(null=True, blank=True)

    objects = BackOfficeQuerySet.as_manager()

    class Meta:
        constraints = [unique_unless_deleted("name", name="shop_shippingprofile_name_taken")]

    def __str__(self) -> str:
        return self.name
