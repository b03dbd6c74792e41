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
from fulfillment.editing.shipping_editing import OPTIONS, SETS, ZONES, change_rules
from kit.rest.nested_endpoint import NestedEndpoint
from kit.rest.responses.answers import batch_answer, shown_batch
from kit.rest.row_endpoint import RowEndpoint
from kit.values.json import JSONObject


class FulfillmentSets(RowEndpoint):
    """Ways of delivery. One is deleted with its service zones and their shipping options."""

    resource = FULFILLMENT_SETS
    verbs = SETS


class ServiceZones(NestedEndpoint):
    """Places with the same shipping options, which are deleted with them. Responses to changes contain the set."""

    resource = SERVICE_ZONES
    verbs = ZONES
    within = "fulfillment_set_id"
    parent = FULFILLMENT_SETS
    body_fields = {
        "fulfillment_set_id": None,
        "geo_zones": GeoZoneInput(many=True, required=False, help_text="All places of the zone: others are deleted."),
    }


class ShippingOptionTypes(RowEndpoint):
    """What customers can expect of shipping options, such as Express. One that an option has cannot be deleted."""

    resource = SHIPPING_OPTION_TYPES
    verbs = TYPES


class ShippingOptions(RowEndpoint):
    """Shipping options of service zones, with their prices and rules."""

    resource = SHIPPING_OPTIONS
    verbs = OPTIONS
    body_fields = {
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
    dry_runs = frozenset({"change_rules"})

    def change_rules(self, request: Request, id: str) -> JSONObject:
        """Create, change and delete rules of a shipping option: all of them, or none."""
        done = change_rules(actor=self.actor, id=id, **self.body())
        query = SHIPPING_OPTIONS.single_query({"fields": "*rules"})
        reader = self.actor.with_permission(self.permissions["retrieve"])
        rules = {rule["id"]: rule for rule in SHIPPING_OPTIONS.one(id, query, reader)["rules"]}
        return shown_batch(done, rules, SHIPPING_OPTION_RULES.name)
