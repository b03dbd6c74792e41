"""The routes of whole exchanges and claims: begun, requested, and canceled."""

from collections.abc import Mapping
from typing import Any

from rest_framework.request import Request

from kit.rest.reads import List, Retrieve
from kit.rest.responses.answers import DeletedSerializer
from kit.values.json import JSONObject
from orders.api.resources import ADMIN_ORDERS
from orders.api.resources.edits import CLAIMS, EXCHANGES
from orders.api.serializers.changes import exchange_answers as answers
from orders.api.serializers.changes import exchange_inputs as inputs
from orders.api.viewsets.admin_orders import VIEWING_ORDERS
from orders.api.viewsets.exchanges.base import GoodsChanges
from orders.changes.open_change import EDITING
from orders.common.change_ids import known_as
from orders.exchanges import cancellation, lifecycle

_ORDER = {"fields": "+discount_subtotal"}


def _raw(order: Mapping[str, Any]) -> Mapping[str, Any]:
    """The totals once more as the official SDK's type of this answer has them: as strings."""
    totals = ((name, value) for name, value in order.items() if name.endswith("total"))
    return {f"raw_{name}": {"value": str(value), "precision": 20} for name, value in totals}


class WholeChanges(List, Retrieve, GoodsChanges):
    """Base of exchanges and claims: begun, requested, and canceled."""

    permissions = {
        **dict.fromkeys(("list", "retrieve"), VIEWING_ORDERS),
        **dict.fromkeys(("create", "confirm", "discard", "cancel"), EDITING),
    }
    dry_runs = frozenset({"create", "confirm", "discard", "cancel"})

    def create(self, request: Request) -> JSONObject:
        """Begin a {noun} for an order, of which nothing changes until it is requested.

        The permission `orders.add_return` is required, too, here and for all its steps.
        """
        kind = self.resource.kind
        change_id = lifecycle.begin(actor=self.actor, kind=kind, **self.body())
        begun = self.shown(str(known_as(kind, change_id, wanted=kind)))
        reader = self.actor.with_permission(VIEWING_ORDERS)
        order = ADMIN_ORDERS.one(self.body()["order_id"], ADMIN_ORDERS.single_query(_ORDER), reader)
        return {"order": {**order, **_raw(order)}, **begun}

    def confirm(self, request: Request, id: str) -> JSONObject:
        """Request a {noun}, which confirms it: goods are expected back, others reserved, the balance changes at once.

        What is then owed is asked for by the order's unpaid payment collection. Nothing is refunded.
        """
        found = self.change_and_order(id)
        lifecycle.request(actor=self.actor, change_id=found.change_id, **self.body())
        return {**self.changed(id, found), **self.returned(found)}

    def discard(self, request: Request, id: str) -> JSONObject:
        """Cancel an open {noun}. It stays listed."""
        lifecycle.cancel_request(actor=self.actor, change_id=self.change_and_order(id).change_id)
        return self.deleted(id)

    def cancel(self, request: Request, id: str) -> JSONObject:
        """Cancel a {noun} that was requested, while nothing of it was received or fulfilled.

        What was paid is then owed.
        """
        cancellation.cancel(actor=self.actor, change_id=self.change_and_order(id).change_id, **self.body())
        return self.shown(id)


class Exchanges(WholeChanges):
    """Exchanges: units of an order come back, and others go out for them."""

    resource = EXCHANGES
    inputs = {
        "create": inputs.NewExchangeInput,
        "confirm": inputs.ChangeRequestInput,
        "cancel": inputs.ChangeCancellationInput,
    }
    answers = {
        "create": answers.BegunExchangeSerializer,
        "confirm": answers.RequestedExchangeSerializer,
        "discard": DeletedSerializer,
    }


class Claims(WholeChanges):
    """Claims: units of an order are faulty or missing; the customer gets money or other goods."""

    resource = CLAIMS
    inputs = {
        "create": inputs.NewClaimInput,
        "confirm": inputs.ChangeRequestInput,
        "cancel": inputs.ChangeCancellationInput,
    }
    answers = {
        "create": answers.BegunClaimSerializer,
        "confirm": answers.RequestedClaimSerializer,
        "discard": DeletedSerializer,
    }
