"""What the shop sells from: stock locations, and the profiles that say how goods may be shipped."""

from django.db import models

from commerce.core.base_model import BackOfficeQuerySet, BaseModel
from commerce.core.ids import IdField
from commerce.shop.models.store import SalesChannel


class StockLocationAddress(BaseModel):
    """Where a stock location stands."""

    id = IdField(prefix="laddr")
    company = models.TextField(null=True, blank=True)  # noqa: DJ001 - an address keeps null apart from the empty text
    address_1 = models.TextField(null=True, blank=True)  # noqa: DJ001
    address_2 = models.TextField(null=True, blank=True)  # noqa: DJ001
    city = models.TextField(null=True, blank=True)  # noqa: DJ001
    country_code = models.CharField(max_length=2, null=True, blank=True)  # noqa: DJ001
    province = models.TextField(null=True, blank=True)  # noqa: DJ001
    postal_code = models.TextField(null=True, blank=True)  # noqa: DJ001
    phone = models.TextField(null=True, blank=True)  # noqa: DJ001
    metadata = models.JSONField(null=True, blank=True)

    objects = BackOfficeQuerySet.as_manager()

    def __str__(self) -> str:
        return ", ".join(filter(None, (self.address_1, self.city, self.country_code)))


class StockLocation(BaseModel):
    """A warehouse or shop that holds stock for its sales channels."""

    id = IdField(prefix="sloc")
    name = models.CharField(max_length=255)
    address = models.OneToOneField(
        StockLocationAddress, null=True, blank=True, on_delete=models.SET_NULL, related_name="location"
    )
    sales_channels = models.ManyToManyField(SalesChannel, blank=True, related_name="stock_locations")
    metadata = models.JSONField(null=True, blank=True)

    objects = BackOfficeQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["name"], condition=models.Q(deleted_at=None), name="shop_stocklocation_name_taken"
            )
        ]

    def __str__(self) -> str:
        return self.name


class ShippingProfile(BaseModel):
    """Goods that ship alike, such as `default`, or `gift_card` for what needs no shipping."""

    id = IdField(prefix="sp")
    name = models.CharField(max_length=255)
    type = models.CharField(max_length=255, default="default")
    metadata = models.JSONField(null=True, blank=True)

    objects = BackOfficeQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["name"], condition=models.Q(deleted_at=None), name="shop_shippingprofile_name_taken"
            )
        ]

    def __str__(self) -> str:
        return self.name
