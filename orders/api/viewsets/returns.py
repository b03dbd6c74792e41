"""The routes of returns."""

from collections.abc import Collection

from rest_framework.request import Request

from kit.domain.actor import Actor
from kit.errors import InvalidData, NotFound
from kit.rest.reads import List, Retrieve
from kit.rest.viewsets import AdminEndpoint, StoreEndpoint
from kit.rest.writes import WriteEndpoint
from kit.values.json import JSONObject
from orders.api.guess_limits import OrderMissesCounted
from orders.api.resources.returns import ADMIN_RETURNS, RETURNS
from orders.api.resources.returns_to_come import to_come
from orders.api.serializers.inputs.return_shipping import ReturnShippingChangesInput, ReturnShippingChoiceInput
from orders.api.serializers.inputs.returns import (
    ArrivedItemsInput,
    NewReturnInput,
    PreparedItemChangesInput,
    PreparedItemsInput,
    ReceiptNoteInput,
    RecountInput,
    ReturnChangesInput,
    ReturnConfirmationInput,
    ReturnRequestInput,
)
from orders.api.serializers.returns import DeletedReturnSerializer
from orders.exchanges import coming_return
from orders.returns import arrivals, cancellation, creation, preparation, shipping_choice

_VIEW, _ADD, _CHANGE = "orders.view_return", "orders.add_return", "orders.change_return"


class ReturnRequests(OrderMissesCounted, WriteEndpoint, StoreEndpoint):
    """Returns that customers request."""

    resource = RETURNS
    inputs = {"create": ReturnRequestInput}
    private = True

    def create(self, request: Request) -> JSONObject:
        """Request the return of delivered units of an order: the customer's own, or a guest's by its id."""
        return self.written(creation.request(actor=self.actor, **self.body()))


class AdminReturns(List, Retrieve, WriteEndpoint, AdminEndpoint):
    """Returns, for staff. One that an open exchange or claim will make can be read, and get a location."""

    resource = ADMIN_RETURNS
    inputs = {"create": NewReturnInput, "update": ReturnChangesInput}
    permissions = {"list": _VIEW, "retrieve": _VIEW, "create": _ADD, "update": _CHANGE, "cancel": _CHANGE}
    dry_runs = frozenset({"create", "update", "cancel"})

    def create(self, request: Request) -> JSONObject:
        """Begin a return. Add items to it, and then request it."""
        return self.written(creation.begin(actor=self.actor, **self.body()))

    def read(self, id: str, *, actor: Actor) -> JSONObject:
        """Of one to come, `fields` choose no fields of its items."""
        try:
            return super().read(id, actor=actor)
        except NotFound:
            coming = to_come(id)
            if coming is None:
                raise
        chosen = self.read_query.selection
        return {name: coming[name] for name in (*chosen.scalars, *dict(chosen.relations)) if name in coming}

    def update(self, request: Request, id: str) -> JSONObject:
        """Change a return. Metadata is merged. One to come takes `location_id` and `no_notification`."""
        if to_come(id) is None:
            preparation.update(actor=self.actor, return_id=id, **self.body())
        elif "metadata" in self.body():
            raise InvalidData("Field 'metadata' cannot be set before the exchange or claim is requested")
        else:
            coming_return.update(actor=self.actor, return_id=id, **self.body())
        return self.written(id)

    def cancel(self, request: Request, id: str) -> JSONObject:
        """Cancel a return of which nothing was received. Its units can be returned again."""
        cancellation.cancel(actor=self.actor, return_id=id)
        return self.written(id)


class AdminReturnItems(Retrieve, WriteEndpoint, AdminEndpoint):
    """Preparing an open return, and requesting it."""

    resource = ADMIN_RETURNS
    inputs = {"add": PreparedItemsInput, "change": PreparedItemChangesInput, "confirm": ReturnConfirmationInput}
    answers = {"discard": DeletedReturnSerializer}
    permissions = {"retrieve": _VIEW, **dict.fromkeys(("add", "change", "remove", "confirm", "discard"), _CHANGE)}
    dry_runs = frozenset({"add", "change", "remove", "confirm", "discard"})

    @classmethod
    def offered(cls, action: str) -> Collection[str]:
        return ("fields",) if action == "discard" else super().offered(action)

    def add(self, request: Request, id: str) -> JSONObject:
        """Add items to an open return."""
        preparation.add_items(actor=self.actor, return_id=id, **self.body())
        return self.written(id)

    def change(self, request: Request, id: str, action_id: str) -> JSONObject:
        """Change an item of an open return. `action_id` is the id of the return's item. Metadata is merged."""
        preparation.change_item(actor=self.actor, return_id=id, item_id=action_id, **self.body())
        return self.written(id)

    def remove(self, request: Request, id: str, action_id: str) -> JSONObject:
        """Remove an item from an open return. `action_id` is the id of the return's item."""
        preparation.remove_item(actor=self.actor, return_id=id, item_id=action_id)
        return self.written(id)

    def confirm(self, request: Request, id: str) -> JSONObject:
        """Request an open return."""
        preparation.confirm(actor=self.actor, return_id=id, **self.body())
        return self.written(id)

    def discard(self, request: Request, id: str) -> JSONObject:
        """Delete an open return. The response shows it as it was."""
        shown = self.written(id)
        preparation.discard(actor=self.actor, return_id=id)
        return {**self.deleted(id), **shown}


class AdminReturnShipping(Retrieve, WriteEndpoint, AdminEndpoint):
    """The shipping of an open return."""

    resource = ADMIN_RETURNS
    inputs = {"choose": ReturnShippingChoiceInput, "change": ReturnShippingChangesInput}
    permissions = {"retrieve": _VIEW, **dict.fromkeys(("choose", "change", "remove"), _CHANGE)}
    dry_runs = frozenset({"choose", "change", "remove"})

    def choose(self, request: Request, id: str) -> JSONObject:
        """Choose the shipping of an open return, instead of what was chosen before."""
        shipping_choice.choose(actor=self.actor, return_id=id, **self.body())
        return self.written(id)

    def change(self, request: Request, id: str, action_id: str) -> JSONObject:
        """Change the shipping of an open return. `action_id` is the id of its shipping method. Metadata is merged."""
        shipping_choice.change(actor=self.actor, return_id=id, method_id=action_id, **self.body())
        return self.written(id)

    def remove(self, request: Request, id: str, action_id: str) -> JSONObject:
        """Remove the shipping of an open return. `action_id` is the id of its shipping method."""
        shipping_choice.remove(actor=self.actor, return_id=id, method_id=action_id)
        return self.written(id)


class AdminReturnReceipts(Retrieve, WriteEndpoint, AdminEndpoint):
    """Receiving returns: units are counted, and the receipt is then confirmed."""

    resource = ADMIN_RETURNS
    inputs = {
        "begin": ReceiptNoteInput,
        "count_received": ArrivedItemsInput,
        "count_damaged": ArrivedItemsInput,
        "recount_received": RecountInput,
        "recount_damaged": RecountInput,
        "confirm": ReturnConfirmationInput,
    }
    permissions = {
        "retrieve": _VIEW,
        **dict.fromkeys(("begin", "discard", "count_received", "count_damaged", "confirm"), _CHANGE),
        **dict.fromkeys(("recount_received", "recount_damaged", "drop_received", "drop_damaged"), _CHANGE),
    }
    dry_runs = frozenset(permissions) - {"retrieve"}

    def begin(self, request: Request, id: str) -> JSONObject:
        """Check that a return can be received, before its units are counted."""
        arrivals.begin(actor=self.actor, return_id=id, **self.body())
        return self.written(id)

    def discard(self, request: Request, id: str) -> JSONObject:
        """Discard the counts of a return."""
        arrivals.discard(actor=self.actor, return_id=id)
        return self.written(id)

    def count_received(self, request: Request, id: str) -> JSONObject:
        """Count undamaged units. Counting a line again replaces its number."""
        arrivals.count_received(actor=self.actor, return_id=id, **self.body())
        return self.written(id)

    def count_damaged(self, request: Request, id: str) -> JSONObject:
        """Count damaged units, which are not restocked. Counting a line again replaces its number."""
        arrivals.count_damaged(actor=self.actor, return_id=id, **self.body())
        return self.written(id)

    def recount_received(self, request: Request, id: str, action_id: str) -> JSONObject:
        """Change the number of undamaged units of an item. `action_id` is the id of the return's item."""
        arrivals.recount_received(actor=self.actor, return_id=id, item_id=action_id, **self.body())
        return self.written(id)

    def recount_damaged(self, request: Request, id: str, action_id: str) -> JSONObject:
        """Change the number of damaged units of an item. `action_id` is the id of the return's item."""
        arrivals.recount_damaged(actor=self.actor, return_id=id, item_id=action_id, **self.body())
        return self.written(id)

    def drop_received(self, request: Request, id: str, action_id: str) -> JSONObject:
        """Count no undamaged units of an item. `action_id` is the id of the return's item."""
        arrivals.recount_received(actor=self.actor, return_id=id, item_id=action_id, quantity=0)
        return self.written(id)

    def drop_damaged(self, request: Request, id: str, action_id: str) -> JSONObject:
        """Count no damaged units of an item. `action_id` is the id of the return's item."""
        arrivals.recount_damaged(actor=self.actor, return_id=id, item_id=action_id, quantity=0)
        return self.written(id)

    def confirm(self, request: Request, id: str) -> JSONObject:
        """Receive the counted units, and restock the undamaged ones. Nothing is refunded."""
        arrivals.confirm(actor=self.actor, return_id=id, **self.body())
        return self.written(id)
