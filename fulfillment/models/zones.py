"""Where the shop ships to from each stock location."""

from django.db import models
from django.db.models import Q

from fulfillment import postal_codes
from fulfillment.states import GeoZoneType
from kit.domain.base_model import BackOfficeQuerySet, BaseModel, unique_unless_deleted
from kit.values.ids import IdField
from kit.values.places import country_name, province_name
from shop.models import Country, StockLocation


class FulfillmentSet(BaseModel):
    """A way of delivery from one location, such as `shipping` or `pickup`."""

    touches = ("location",)
    id = IdField(prefix="fuset")
    name = models.CharField(max_length=255)
    type = models.CharField(max_length=255)
    location = models.ForeignKey(
        StockLocation, null=True, blank=True, on_delete=models.SET_NULL, related_name="fulfillment_sets"
    )
    metadata = models.JSONField(null=True, blank=True)

    objects = BackOfficeQuerySet.as_manager()

    class Meta:
        constraints = [unique_unless_deleted("name", name="fulfillment_set_name_taken")]

    def __str__(self) -> str:
        return self.name


class ServiceZone(BaseModel):
    """Places with the same shipping options.

    replaces_wider: whether a place that a wider zone of the set covers, too, has the options of this zone alone.
    """

    touches = ("fulfillment_set",)
    id = IdField(prefix="serzo")
    name = models.CharField(max_length=255)
    fulfillment_set = models.ForeignKey(FulfillmentSet, on_delete=models.CASCADE, related_name="service_zones")
    replaces_wider = models.BooleanField(
        default=False,
        db_default=False,
        help_text="Offer the options of this zone alone where a wider zone of the set covers the same place.",
    )
    metadata = models.JSONField(null=True, blank=True)

    objects = BackOfficeQuerySet.as_manager()

    class Meta:
        constraints = [unique_unless_deleted("name", name="fulfillment_zone_name_taken")]

    def __str__(self) -> str:
        return self.name


class GeoZone(BaseModel):
    """A country, or a part of one, that a service zone covers."""

    touches = ("service_zone",)
    id = IdField(prefix="fgz")
    type = models.CharField(max_length=16, choices=GeoZoneType, default=GeoZoneType.COUNTRY)
    service_zone = models.ForeignKey(ServiceZone, on_delete=models.CASCADE, related_name="geo_zones")
    country = models.ForeignKey(Country, on_delete=models.PROTECT, related_name="+", db_column="country_code")
    province_code = models.CharField(max_length=8, null=True, blank=True)  # null is "any"
    city = models.TextField(null=True, blank=True)
    postal_expression = models.JSONField(null=True, blank=True, validators=[postal_codes.validate])

    objects = BackOfficeQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(type__in=GeoZoneType.values), name="fulfillment_geozone_type")
        ]

    def __str__(self) -> str:
        return ", ".join(filter(None, (self.city, province_name(self.province_code), country_name(self.country_id))))
