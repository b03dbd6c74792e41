"""What is read of an order besides itself: its preview, and the options that ship to it. And exports of orders."""

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request

from fulfillment.api.admin.resources import SHIPPING_OPTIONS
from fulfillment.api.admin.serializers import AdminShippingOptionSerializer
from kit.errors import InvalidData
from kit.query.conditions import Is
from kit.query.paging import MAX_LIMIT, Page
from kit.reads.filters.filters import Refused
from kit.reads.resources import text
from kit.rest.reads import ReadEndpoint
from kit.rest.viewsets import AdminEndpoint
from kit.values.json import JSONObject
from kit.values.timestamps import parse_moment
from orders.api.filters import AdminOrderFilters
from orders.api.resources import ADMIN_ORDERS
from orders.api.resources.previews import OrderPreviewSerializer, preview
from orders.api.viewsets.admin_orders import VIEWING_ORDERS, OneOrderEndpoint, require_order
from orders.common.order_context import order_context
from orders.common.order_options import options_of_order
from orders.reports.export.choice import Choice
from orders.reports.export.job import start


class OrderPreviews(ReadEndpoint, OneOrderEndpoint):
    """An order with its open change."""

    resource = ADMIN_ORDERS
    answers = {"preview": OrderPreviewSerializer}
    permissions = {"preview": VIEWING_ORDERS}

    def preview(self, request: Request, id: str) -> JSONObject:
        """Get an order with its open change, an edit or a return that staff prepare or receive, as if it were done."""
        order = preview(id, self.actor)
        self.tag(order["version"])
        return {"order": order}


class ShippingOptionsOfOrderSerializer(serializers.Serializer[Any]):
    """The shipping options for the goods and the address of an order."""

    shipping_options = AdminShippingOptionSerializer(many=True)


_LOCATION = "service_zone.fulfillment_set.location"
_OPTIONS_WITH_LOCATIONS = replace(
    SHIPPING_OPTIONS, defaults=f"{SHIPPING_OPTIONS.defaults},+{_LOCATION}.id,+{_LOCATION}.name"
)
"""Medusa's dashboard names the location of each option in the forms of exchanges and claims."""


class OrderOptions(ReadEndpoint, AdminEndpoint):
    """The shipping options for an order."""

    resource = SHIPPING_OPTIONS
    resources = {"choices": _OPTIONS_WITH_LOCATIONS}
    answers = {"choices": ShippingOptionsOfOrderSerializer}
    permissions = {"choices": "fulfillment.view_shippingoption"}

    @classmethod
    def offered(cls, action: str) -> Collection[str]:
        return ("fields",)

    def choices(self, request: Request, id: str) -> dict[str, Any]:
        """List the shipping options that serve the address of an order, also those not enabled in the store."""
        require_order(id, self.actor)
        found = tuple(option.id for option in options_of_order(order_context(id)))
        query = replace(self.read_query, condition=Is("pk__in", found), page=Page(MAX_LIMIT))
        return {"shipping_options": self.resource.page(query, self.actor).answers}


class ExportStartedSerializer(serializers.Serializer[Any]):
    """An export that was started."""

    transaction_id = serializers.CharField(help_text="The id of its job, by which the admin site finds it.")


class OrderExports(AdminEndpoint):
    """Exports of orders as CSV."""

    answers = {"create": ExportStartedSerializer}
    permissions = {"create": "orders.export_order"}
    _CHOSEN = ("status", "payment_status", "fulfillment_status", "sales_channel_id", "region_id")
    _OF_LISTS = ("limit", "offset", "order", "fields")
    """The official dashboard sends those of its list; an export has all orders that match."""

    @classmethod
    def offered(cls, action: str) -> Collection[str]:
        return (*cls._CHOSEN, "created_at", *cls._OF_LISTS)

    def take_query(self) -> None:
        """The parameters of lists are checked, too, though they do not count."""
        super().take_query()
        for name in self._OF_LISTS:
            text(name, self.query.get(name))

    def create(self, request: Request) -> JSONObject:
        """Export orders as CSV. A job writes the file, which whoever started it can download from the admin site."""
        return {"transaction_id": start(actor=self.actor, kind="orders", choice=self._choice()).pk}

    def _choice(self) -> Choice:
        chosen: dict[str, Any] = {}
        for name in self._CHOSEN:
            if name in self.query:
                given = self.query[name]
                AdminOrderFilters.base_filters[name].condition(given, name=name)
                chosen[name] = given if isinstance(given, list) else [given]
        moments = self.query.get("created_at", {})
        known = {"$gte": "since", "$lte": "until"}
        if not isinstance(moments, dict) or not moments.keys() <= known.keys():
            raise Refused("Field 'created_at' takes the operators $gte and $lte")
        for operator, value in moments.items():
            moment = parse_moment(value) if isinstance(value, str) else None
            if moment is None:
                raise InvalidData(f"Invalid request: Expected type: 'date' for field 'created_at[{operator}]'")
            chosen[known[operator]] = moment
        return Choice(**chosen)
