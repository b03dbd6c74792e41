"""Stock locations, fulfillment providers and shipping profiles, as programs maintain them."""

from functools import partial

from rest_framework.request import Request

from fulfillment.api.admin import resources
from fulfillment.api.admin.inputs import FulfillmentSetInput, StockLocationAddressInput
from fulfillment.api.admin.serializers import FulfillmentOptionListSerializer
from fulfillment.editing.shipping_editing import create_set
from kit.editing.regrouping import Members
from kit.rest.reads import List, ReadEndpoint
from kit.rest.row_endpoint import RowEndpoint
from kit.rest.viewsets import AdminEndpoint
from kit.values.json import JSON, JSONObject
from shop.logistics import shipping_profiles, stock_locations

_members = partial(Members, stock_locations.VERBS, of_row=True)


class StockLocations(RowEndpoint):
    """Stock locations. One with stock, reservations or fulfillment sets cannot be deleted."""

    resource = resources.STOCK_LOCATIONS
    verbs = stock_locations.VERBS
    body_fields = {"address": StockLocationAddressInput(required=False, allow_null=True)}
    inputs = {"create_set": FulfillmentSetInput}
    permissions = {"create_set": "fulfillment.add_fulfillmentset"}
    dry_runs = frozenset({"create_set"})
    members = {
        "sales_channels": _members("sales_channels", "Add sales channels to a stock location, and remove others."),
        "providers": _members(
            "fulfillment_providers",
            "Add fulfillment providers to a stock location, and remove others.",
            path="fulfillment-providers",
        ),
    }

    def create_set(self, request: Request, id: str) -> JSONObject:
        """Create a fulfillment set of a stock location."""
        create_set(actor=self.actor, id=id, **self.body())
        return self.written(id)


class FulfillmentProviders(List, AdminEndpoint):
    """Fulfillment providers, enabled or not."""

    resource = resources.FULFILLMENT_PROVIDERS
    permissions = {"list": "shop.view_fulfillmentprovider"}


class FulfillmentOptions(ReadEndpoint, AdminEndpoint):
    """What a fulfillment provider offers."""

    resource = resources.FULFILLMENT_PROVIDERS
    answers = {"list": FulfillmentOptionListSerializer}
    permissions = {"list": "shop.view_fulfillmentprovider"}

    def list(self, request: Request, id: str) -> JSONObject:
        """List the options of a fulfillment provider: delivery and return."""
        self.read(id, actor=self.actor)
        options: list[JSON] = [{"id": "delivery", "is_return": False}, {"id": "return", "is_return": True}]
        return {"fulfillment_options": options, "count": len(options), "offset": 0, "limit": len(options)}


class ShippingProfiles(RowEndpoint):
    """Groups of goods that ship alike. One that products or shipping options have cannot be deleted."""

    resource = resources.SHIPPING_PROFILES
    verbs = shipping_profiles.VERBS
