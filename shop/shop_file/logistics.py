"""The shop file's stock locations and shipping profiles."""

from collections.abc import Iterator, Mapping

from django.db.models import Prefetch

from kit.editing.changes import BATCH
from kit.shop_file.references import NamesOf
from kit.shop_file.row_fields import row_fields
from kit.shop_file.sections import RowsSection
from kit.shop_file.values import Entry, Metadata, Text, Value
from kit.values.json import JSONObject
from kit.values.timestamps import isoformat
from shop.logistics import shipping_profiles, stock_locations
from shop.models import SalesChannel, ShippingProfile, StockLocation
from shop.models.addresses import PLACE_TEXTS
from shop.shop_file.places import CountryCode, Place
from shop.shop_file.targets import CHANNELS, FULFILLMENT_PROVIDERS

ADDRESS: Mapping[str, Value] = {
    **{name: Text(nullable=True) for name in PLACE_TEXTS},
    "country_code": CountryCode(nullable=True),
    "metadata": Metadata(),
}


class StockLocations(RowsSection[StockLocation]):
    """Every location that is not deleted. An address is replaced as a whole: fields that it leaves out become null."""

    key = "stock_locations"
    natural_key = "name"
    verbs = stock_locations.VERBS
    fields = row_fields(
        verbs,
        address=Place(fields=ADDRESS, nullable=True),
        sales_channels=NamesOf(target=CHANNELS),
        fulfillment_providers=NamesOf(target=FULFILLMENT_PROVIDERS),
    )

    def values(self, entry: Entry, row: StockLocation | None) -> dict[str, object]:
        values = super().values(entry, row)
        if values.get("address") is not None:
            values["address"] = {name: values["address"].given.get(name) for name in ADDRESS}
        return values

    @classmethod
    def dump(cls, *, with_credentials: bool) -> Iterator[JSONObject]:
        channels = Prefetch("sales_channels", SalesChannel.objects.not_deleted())
        locations = (
            StockLocation.objects.not_deleted()
            .select_related("address")
            .prefetch_related(channels, "fulfillment_providers")
        )
        for location in locations.order_by("pk").iterator(BATCH):
            address = location.address
            yield {
                "id": location.pk,
                "name": location.name,
                "address": address and {name: getattr(address, name) for name in ADDRESS},
                "sales_channels": sorted(channel.name for channel in location.sales_channels.all()),
                "fulfillment_providers": sorted(each.pk for each in location.fulfillment_providers.all()),
                "metadata": location.metadata,
                "created_at": isoformat(location.created_at),
            }


class ShippingProfiles(RowsSection[ShippingProfile]):
    """Every profile that is not deleted."""

    key = "shipping_profiles"
    natural_key = "name"
    verbs = shipping_profiles.VERBS
