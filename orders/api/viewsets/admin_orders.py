"""The routes of orders for staff."""

import re
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

from django.db import transaction
from rest_framework.request import Request

from kit.domain.actor import Actor
from kit.errors import InvalidData
from kit.query.conditions import Every, Is
from kit.query.selection import Selection
from kit.rest.preparation import work_before
from kit.rest.reads import List, Retrieve
from kit.rest.row_versions import VersionedEndpoint
from kit.rest.viewsets import AdminEndpoint
from kit.rest.writes import WriteEndpoint
from kit.values.json import JSONObject
from orders.api.resources import ADMIN_ORDERS, ORDER_CHANGES, ORDER_ITEMS
from orders.api.resources.edits import changes_of
from orders.common.locked_order import lock_order, require_version

VIEWING_ORDERS = "orders.view_order"


class OneOrderEndpoint(VersionedEndpoint):
    """Base of routes about the order of the path, whose version is the ETag of the answer.

    If-Match is compared by every change of one transaction. An action that asks a provider first ignores it.
    """

    def _handle(self) -> dict[str, Any]:
        """In one transaction with the lock under which the version is compared."""
        with nullcontext() if self._held() is None else transaction.atomic():
            return super()._handle()

    def _take(self) -> None:
        super()._take()
        version = self._held()
        if version is not None:
            if self.body().get("version") not in (None, version):
                raise InvalidData("Invalid request: Field 'version' must be the version in header 'If-Match'")
            require_version(lock_order(self.kwargs["id"]), version)

    def _held(self) -> int | None:
        compares = self.writes and not work_before(getattr(self, self.action))
        return self.held(_number) if compares else None


def _number(version: str) -> int | None:
    return int(version) if re.fullmatch(r"[0-9]{1,18}", version) else None


class OrderActions(Retrieve, WriteEndpoint, OneOrderEndpoint):
    """Base of routes that read or change one order. Subclasses add the permissions of their actions."""

    resource = ADMIN_ORDERS
    permissions = {"retrieve": VIEWING_ORDERS}

    def read(self, id: str, *, actor: Actor) -> dict[str, Any]:
        order = super().read(id, actor=actor)
        self.tag(order["version"])
        return order


class AdminOrders(List, OrderActions):
    """Orders, by number unless `order` says otherwise."""

    permissions = {"list": VIEWING_ORDERS, **OrderActions.permissions}


def require_order(id: str, actor: Actor) -> None:
    """Raise NotFound unless there is an order with that id."""
    only_id = ADMIN_ORDERS.single_query({}, Selection(("id",)))
    ADMIN_ORDERS.one(id, only_id, actor.with_permission(VIEWING_ORDERS))


class ListOfOrder(List, AdminEndpoint):
    """Base of lists of what belongs to an order."""

    def of_order(self, request: Request, id: str) -> JSONObject:
        """The page that is asked for, of what the order has."""
        require_order(id, self.actor)
        self.read_query = replace(self.read_query, condition=Every((self.read_query.condition, Is("order_id", id))))
        return super().list(request)


class OrderItems(ListOfOrder):
    """The lines of an order."""

    resource = ORDER_ITEMS
    permissions = {"list": VIEWING_ORDERS}

    def list(self, request: Request, id: str) -> JSONObject:  # type: ignore[override]  # the path names the order
        """List the lines of an order, with how many units are fulfilled, shipped, delivered and returned."""
        return self.of_order(request, id)


class OrderChanges(ListOfOrder):
    """The changes of an order: its edits, and the requests of its returns."""

    resource = ORDER_CHANGES
    permissions = {"list": "orders.view_return"}

    def list(self, request: Request, id: str) -> dict[str, Any]:  # type: ignore[override]  # the path names the order
        """List the requests to return items of an order, and its edits for those who may view orders.

        The oldest come first.
        """
        require_order(id, self.actor)
        parameters = self.parameters(request.META.get("QUERY_STRING", ""))
        listed = changes_of(id, self.read_query, parameters, self.actor)
        page = self.read_query.page
        return {
            self.resource.plural: listed.answers,
            **dict.fromkeys(("count", "estimate_count"), listed.count),
            "offset": page.offset,
            "limit": page.limit,
        }
