"""The shop file's fulfillment sets."""

from collections.abc import Iterator, Sequence

from catalog.shop_file.prices import region_names
from fulfillment.editing.shipping_editing import SETS
from fulfillment.models import FulfillmentSet, ShippingOption
from fulfillment.shop_file.service_zones import SERVICE_ZONE, ServiceZones
from kit.database.locking import lock_rows
from kit.shop_file.problems import Problems
from kit.shop_file.references import Named
from kit.shop_file.row_fields import row_fields
from kit.shop_file.sections import Placed, RowsSection
from kit.shop_file.values import Objects
from kit.values.json import JSONObject
from kit.values.timestamps import isoformat
from shop.shop_file.targets import STOCK_LOCATIONS


class FulfillmentSets(RowsSection[FulfillmentSet]):
    """Every set that is not deleted.

    Zones and options that a list does not name stay: carts refer to them. Geo zones, prices and rules are removed.
    """

    key = "fulfillment_sets"
    natural_key = "name"
    verbs = SETS
    fields = row_fields(
        SETS,
        location=Named(target=STOCK_LOCATIONS, nullable=True),
        service_zones=Objects(fields=SERVICE_ZONE, partial=True),
    )

    def load_parts(self, placed: Sequence[Placed[FulfillmentSet]]) -> None:
        super().load_parts(placed)
        entries = [zone for one in placed for zone in one.entry.given.get("service_zones", ())]
        stored = [one.row.pk for one in placed if not one.is_new]
        lock_rows(ShippingOption.objects.filter(service_zone__fulfillment_set__in=stored))
        zones = ServiceZones(stored, entries, self.problems)
        for one in placed:
            before = self.problems.count
            parsed = zones.parse(one.row.pk, one.entry.given.get("service_zones", ()))
            if self.problems.count == before:
                put = [zones.put(one.row.pk, zone) for zone in parsed]
                one.is_changed |= any(put)
        zones.write()

    @classmethod
    def dump(cls, *, with_credentials: bool) -> Iterator[JSONObject]:
        regions = region_names()
        sets = FulfillmentSet.objects.not_deleted().select_related("location").order_by("pk")
        zones = ServiceZones([row.pk for row in sets], (), Problems())
        for row in sets:
            is_nameable = row.location is None or row.location.deleted_at is None
            yield {
                "id": row.pk,
                "name": row.name,
                "type": row.type,
                **({"location": row.location and row.location.name} if is_nameable else {}),
                "service_zones": list(zones.dumped(row.pk, regions)),
                "metadata": row.metadata,
                "created_at": isoformat(row.created_at),
            }
