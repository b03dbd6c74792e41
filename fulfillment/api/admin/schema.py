"""Stock locations and shipping in GraphQL, for staff."""

from typing import Any

from fulfillment.api.admin.locations import FulfillmentProviders, ShippingProfiles, StockLocations
from fulfillment.api.admin.options import FulfillmentSets, ServiceZones, ShippingOptions, ShippingOptionTypes
from fulfillment.editing.shipping_editing import create_set
from kit.domain.actor import Actor
from kit.graphql.fields.mutations import Change, Written, written_by
from kit.graphql.fields.reads import ListField
from kit.graphql.fields.rows import row_mutations, row_queries

_LISTED = {StockLocations: "", ShippingProfiles: "", ShippingOptions: "admin_", ShippingOptionTypes: ""}
"""Endpoints by the prefix of their queries, which sets them apart from the store's."""
_OF_ZONES = row_mutations(ServiceZones)


def _create_zone(*, actor: Actor, id: str, **values: Any) -> Written:
    return Written(ServiceZones.nested.create(id, actor=actor, **values).pk)


QUERIES = {
    **{name: field for endpoint, prefix in _LISTED.items() for name, field in row_queries(endpoint, prefix).items()},
    "service_zone": row_queries(ServiceZones)["service_zone"],
    "fulfillment_providers": ListField(
        FulfillmentProviders.resource, "Fulfillment providers. For staff.", permission="shop.view_fulfillmentprovider"
    ),
}
MUTATIONS = {
    **{name: field for endpoint in _LISTED for name, field in row_mutations(endpoint).items()},
    "create_fulfillment_set": Change(
        StockLocations.resource,
        "Create a fulfillment set of the stock location with that id.",
        act=written_by(create_set, "id"),
        permission=StockLocations.permissions["create_set"],
        viewing=StockLocations.permissions["retrieve"],
        input=StockLocations.inputs["create_set"],
    ),
    "delete_fulfillment_set": row_mutations(FulfillmentSets)["delete_fulfillment_set"],
    "create_service_zone": Change(
        ServiceZones.resource,
        "Create a service zone of the fulfillment set with that id.",
        act=_create_zone,
        permission=ServiceZones.permissions["create"],
        viewing=ServiceZones.permissions["retrieve"],
        input=ServiceZones.inputs["create"],
    ),
    **{name: _OF_ZONES[name] for name in ("update_service_zone", "delete_service_zone")},
}
