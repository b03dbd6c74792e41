"""Service zones with their shipping options, as programs maintain them."""

from rest_framework.request import Request

from fulfillment.api.admin.inputs import (
    GeoZoneInput,
    RuleBatchInput,
    ShippingOptionPriceInput,
    ShippingOptionRuleInput,
    ShippingOptionTypeTextsInput,
)
from fulfillment.api.admin.resources import (
    FULFILLMENT_SETS,
    SERVICE_ZONES,
    SHIPPING_OPTION_RULES,
    SHIPPING_OPTION_TYPES,
    SHIPPING_OPTIONS,
)
from fulfillment.editing.option_types import TYPES
from fulfillment.editing.shipping_editing import OPTIONS, SETS, ZONES, change_rules, create_zone
from fulfillment.models import ServiceZone
from kit.domain.missing_row import missing
from kit.errors import NotFound
from kit.rest.responses.answers import batch_answer
from kit.rest.row_endpoint import RowEndpoint
from kit.values.json import JSONObject


class FulfillmentSets(RowEndpoint):
    """Ways of delivery. One is deleted with its service zones and their shipping options."""

    resource = FULFILLMENT_SETS
    verbs = SETS


class ServiceZones(RowEndpoint):
    """Places with the same shipping options, which are deleted with them."""

    resource = SERVICE_ZONES
    resources = dict.fromkeys(("create", "update"), FULFILLMENT_SETS)
    verbs = ZONES
    sent = {
        "fulfillment_set_id": None,
        "geo_zones": GeoZoneInput(many=True, required=False, help_text="All places of the zone: others are deleted."),
    }

    def create(self, request: Request, id: str) -> JSONObject:  # type: ignore[override]  # the path names the set
        """Create a service zone of a fulfillment set."""
        create_zone(actor=self.actor, id=id, **self.body())
        return self.written(id)

    def retrieve(self, request: Request, id: str, zone_id: str) -> JSONObject:  # type: ignore[override]
        """Get a service zone."""
        self._require_in_set(id, zone_id)
        return super().retrieve(request, id=zone_id)

    def update(self, request: Request, id: str, zone_id: str) -> JSONObject:  # type: ignore[override]
        """Change a service zone. Omitted fields are not changed; `geo_zones` are all places of the zone."""
        self._require_in_set(id, zone_id)
        self.verbs.update(actor=self.actor, id=zone_id, version=self._version(), **self.body())
        return self.written(id)

    def destroy(self, request: Request, id: str, zone_id: str) -> JSONObject:  # type: ignore[override]
        """Delete a service zone with its shipping options."""
        self._require_in_set(id, zone_id)
        return super().destroy(request, zone_id)

    def _require_in_set(self, id: str, zone_id: str) -> None:
        zone = ServiceZone.objects.not_deleted().with_id(zone_id)
        if zone is None or zone.fulfillment_set_id != id:
            raise NotFound(missing("Service zone", zone_id))


class ShippingOptionTypes(RowEndpoint):
    """What customers can expect of shipping options, such as Express. One that an option has cannot be deleted."""

    resource = SHIPPING_OPTION_TYPES
    verbs = TYPES


class ShippingOptions(RowEndpoint):
    """Shipping options of service zones, with their prices and rules."""

    resource = SHIPPING_OPTIONS
    verbs = OPTIONS
    sent = {
        "type": ShippingOptionTypeTextsInput(required=False, allow_null=True),
        "prices": ShippingOptionPriceInput(
            many=True, required=False, help_text="All prices of the option: others are deleted."
        ),
        "rules": ShippingOptionRuleInput(
            many=True, required=False, help_text="All rules of the option: others are deleted."
        ),
    }
    inputs = {"change_rules": RuleBatchInput}
    answers = {"change_rules": batch_answer(SHIPPING_OPTION_RULES)}
    permissions = {"change_rules": "fulfillment.change_shippingoption"}

    def change_rules(self, request: Request, id: str) -> JSONObject:
        """Create, change and delete rules of a shipping option: all of them, or none."""
        done = change_rules(actor=self.actor, id=id, **self.body())
        query = SHIPPING_OPTIONS.single_query({"fields": "*rules"})
        reader = self.actor.with_permission(self.permissions["retrieve"])
        rules = {rule["id"]: rule for rule in SHIPPING_OPTIONS.one(id, query, reader)["rules"]}
        return {
            "created": [rules[key] for key in done.created],
            "updated": [rules[key] for key in done.updated],
            "deleted": {"ids": [*done.deleted], "object": SHIPPING_OPTION_RULES.name, "deleted": True},
        }
