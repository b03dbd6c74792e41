"""The routes that edit orders. `id` is the order's."""

from collections.abc import Collection
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request

from kit.rest.responses.answers import DeletedSerializer
from kit.rest.viewsets import AdminEndpoint
from kit.rest.writes import WriteEndpoint
from kit.values.json import JSONObject
from orders.api.resources.edits import STORED_CHANGES
from orders.api.resources.previews import preview
from orders.api.serializers.admin_orders import AdminOrderSerializer
from orders.api.serializers.changes import inputs
from orders.api.viewsets.admin_orders import VIEWING_ORDERS, OneOrderEndpoint
from orders.changes import confirmation, items, lifecycle, shipping
from orders.changes.open_change import EDITING


class EditPreviewSerializer(serializers.Serializer[Any]):
    """The order with its edit, as if it were confirmed; once it is, the order."""

    order_preview = AdminOrderSerializer()


class OrderEdits(WriteEndpoint, AdminEndpoint):
    """Edits of orders: begun, described, and canceled."""

    resource = STORED_CHANGES
    inputs = {"create": inputs.NewEditInput, "update": inputs.EditPropertiesInput}
    answers = {"destroy": DeletedSerializer}
    permissions = dict.fromkeys(("create", "update", "destroy"), EDITING)
    dry_runs = frozenset({"create", "update", "destroy"})

    def create(self, request: Request) -> JSONObject:
        """Begin to edit an order. Nothing of it changes until the edit is confirmed."""
        return self._shown(lifecycle.begin(actor=self.actor, **self.body()))

    def update(self, request: Request, id: str) -> JSONObject:
        """Change the properties of an open edit, exchange or claim. `id` is that of the change."""
        lifecycle.set_properties(actor=self.actor, change_id=id, **self.body())
        return self._shown(id)

    def destroy(self, request: Request, id: str) -> JSONObject:
        """Cancel the open edit of an order. It stays listed among the order's changes."""
        lifecycle.cancel(actor=self.actor, order_id=id)
        return {"id": id, "object": "order-edit", "deleted": True}

    def _shown(self, id: str) -> JSONObject:
        """Those who may edit orders are shown it."""
        return {self.resource.name: self.read(id, actor=self.actor.with_permission(VIEWING_ORDERS))}


class EditSteps(WriteEndpoint, OneOrderEndpoint):
    """Base of the steps of the open edit of an order, which answer its preview."""

    resource = STORED_CHANGES

    @classmethod
    def offered(cls, action: str) -> Collection[str]:
        """`fields`, which the official SDK may send, and a preview ignores."""
        return ("fields",)

    def previewed(self, id: str) -> JSONObject:
        """The order with its edit, for those who may edit it."""
        order = preview(id, self.actor.with_permission(VIEWING_ORDERS), of_stored=True)
        self.tag(order["version"])
        return {"order_preview": order}


class OrderEditConfirmation(EditSteps):
    """Marking the open edit of an order as ready, and confirming it."""

    inputs = {"mark": inputs.EditRequestInput, "confirm": inputs.EditConfirmationInput}
    answers = dict.fromkeys(("mark", "confirm"), EditPreviewSerializer)
    permissions = dict.fromkeys(("mark", "confirm"), EDITING)
    dry_runs = frozenset(permissions)

    def mark(self, request: Request, id: str) -> JSONObject:
        """Mark the open edit of an order as ready to be confirmed."""
        lifecycle.request(actor=self.actor, order_id=id, **self.body())
        return self.previewed(id)

    def confirm(self, request: Request, id: str) -> JSONObject:
        """Confirm the open edit of an order: lines, shipping, totals, stock and statuses change at once.

        What is then owed is asked for by the order's unpaid payment collection. Nothing is refunded.
        """
        confirmation.confirm(actor=self.actor, order_id=id, **self.body())
        return self.previewed(id)


class OrderEditItems(EditSteps):
    """The lines of an order in its open edit."""

    inputs = {
        "add": inputs.AddedItemsInput,
        "change": inputs.AddedItemChangesInput,
        "change_line": inputs.LineChangesInput,
    }
    answers = dict.fromkeys(("add", "change", "remove", "change_line"), EditPreviewSerializer)
    permissions = dict.fromkeys(answers, EDITING)
    dry_runs = frozenset(answers)

    def add(self, request: Request, id: str) -> JSONObject:
        """Add lines, at the catalogue's present prices or at those given. Nothing is reserved yet."""
        items.add(actor=self.actor, order_id=id, **self.body())
        return self.previewed(id)

    def change(self, request: Request, id: str, action_id: str) -> JSONObject:
        """Change a line that the open edit adds. Metadata is merged."""
        items.change_added(actor=self.actor, order_id=id, action_id=action_id, **self.body())
        return self.previewed(id)

    def remove(self, request: Request, id: str, action_id: str) -> JSONObject:
        """Take a line that the open edit adds out of it."""
        items.remove_added(actor=self.actor, order_id=id, action_id=action_id)
        return self.previewed(id)

    def change_line(self, request: Request, id: str, item_id: str) -> JSONObject:
        """Set the quantity of a line of the order, 0 to remove it, and its price. It replaces an earlier change."""
        items.change_line(actor=self.actor, order_id=id, line_id=item_id, **self.body())
        return self.previewed(id)


class OrderEditShipping(EditSteps):
    """The shipping methods that the open edit of an order adds."""

    inputs = {"add": inputs.AddedMethodInput, "change": inputs.AddedMethodChangesInput}
    answers = dict.fromkeys(("add", "change", "remove"), EditPreviewSerializer)
    permissions = dict.fromkeys(answers, EDITING)
    dry_runs = frozenset(answers)

    def add(self, request: Request, id: str) -> JSONObject:
        """Add a shipping method, at the option's present price or another one."""
        shipping.add(actor=self.actor, order_id=id, **self.body())
        return self.previewed(id)

    def change(self, request: Request, id: str, action_id: str) -> JSONObject:
        """Change a shipping method that the open edit adds. Metadata is merged."""
        shipping.change_added(actor=self.actor, order_id=id, action_id=action_id, **self.body())
        return self.previewed(id)

    def remove(self, request: Request, id: str, action_id: str) -> JSONObject:
        """Take a shipping method that the open edit adds out of it."""
        shipping.remove_added(actor=self.actor, order_id=id, action_id=action_id)
        return self.previewed(id)
