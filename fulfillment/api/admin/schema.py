"""Stock locations and shipping in GraphQL, for staff."""

from functools import partial
from typing import Any

from fulfillment.api.admin.locations import FulfillmentProviders, ShippingProfiles, StockLocations
from fulfillment.api.admin.options import (
    FulfillmentSets,
    ServiceZones,
    ShippingOptions,
    ShippingOptionTypes,
    changed_rules,
)
from fulfillment.api.admin.serializers import ShippingOptionRuleBatchSerializer
from fulfillment.editing.shipping_editing import create_set, create_zone
from kit.domain.actor import Actor
from kit.editing.regrouping import change_groups
from kit.graphql.context import RequestContext
from kit.graphql.fields.mutations import Action, Change, Written, written_by
from kit.graphql.fields.reads import ListField
from kit.graphql.fields.rows import row_mutations, row_queries
from kit.rest.row_endpoint import MembersInput
from kit.values.json import JSONObject

_LISTED = {StockLocations: "", ShippingProfiles: "", ShippingOptions: "admin_", ShippingOptionTypes: ""}
"""Each with what stands before the names that the store has, too."""
_ZONES, _SETS = row_mutations(ServiceZones), row_mutations(FulfillmentSets)
_of_location = partial(Change, StockLocations.resource, viewing=StockLocations.permissions["retrieve"])


def _create_zone(*, actor: Actor, id: str, **values: Any) -> Written:
    return Written(create_zone(actor=actor, id=id, **values).pk)


def _change_rules(context: RequestContext, *, id: str, **changes: Any) -> JSONObject:
    return changed_rules(actor=context.actor(ShippingOptions.permissions["change_rules"]), id=id, **changes)


def _links(relation: str, description: str, permission: str) -> Change:
    verb = partial(change_groups, StockLocations.verbs, relation)
    return _of_location(description, act=written_by(verb, "id"), permission=permission, input=MembersInput)


QUERIES = {
    **{name: field for endpoint, prefix in _LISTED.items() for name, field in row_queries(endpoint, prefix).items()},
    "service_zone": row_queries(ServiceZones)["service_zone"],
    "fulfillment_providers": ListField(
        FulfillmentProviders.resource, "Fulfillment providers. For staff.", permission="shop.view_fulfillmentprovider"
    ),
}
MUTATIONS = {
    **{name: field for endpoint in _LISTED for name, field in row_mutations(endpoint).items()},
    "create_fulfillment_set": _of_location(
        "Create a fulfillment set of a stock location.",
        act=written_by(create_set, "id"),
        permission=StockLocations.permissions["create_set"],
        input=StockLocations.inputs["create_set"],
    ),
    "update_stock_location_sales_channels": _links(
        "sales_channels",
        "Sell the stock of a location in sales channels, and no longer in others.",
        StockLocations.permissions["update_sales_channels"],
    ),
    "update_stock_location_fulfillment_providers": _links(
        "fulfillment_providers",
        "Offer fulfillment providers for a location, and others no longer.",
        StockLocations.permissions["update_providers"],
    ),
    "delete_fulfillment_set": _SETS["delete_fulfillment_set"],
    "create_service_zone": Change(
        ServiceZones.resource,
        "Create a service zone of the fulfillment set with that id.",
        act=_create_zone,
        permission=ServiceZones.permissions["create"],
        viewing=ServiceZones.permissions["retrieve"],
        input=ServiceZones.inputs["create"],
    ),
    "update_service_zone": _ZONES["update_service_zone"],
    "delete_service_zone": _ZONES["delete_service_zone"],
    "update_shipping_option_rules": Action(
        ShippingOptionRuleBatchSerializer,
        "Create, change and delete rules of a shipping option: all or none.",
        act=_change_rules,
        input=ShippingOptions.inputs["change_rules"],
        by_id=True,
    ),
}
