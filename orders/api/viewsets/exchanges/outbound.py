"""The steps of open exchanges and claims about what goes out. `action_id`: that of a step."""

from rest_framework.request import Request

from kit.values.json import JSONObject
from orders.api.resources.edits import CLAIMS, EXCHANGES
from orders.api.serializers.changes import exchange_answers as answers
from orders.api.serializers.changes import inputs
from orders.api.viewsets.exchanges.base import GoodsChanges
from orders.changes.open_change import EDITING
from orders.exchanges import outbound, shipping


class Outbound(GoodsChanges):
    """Base of what goes out, in an open exchange or claim: variants, and how they are sent."""

    inputs = {
        "add": inputs.AddedItemsInput,
        "change": inputs.AddedItemChangesInput,
        "add_method": inputs.AddedMethodInput,
        "change_method": inputs.AddedMethodChangesInput,
    }
    permissions = dict.fromkeys((*inputs, "remove", "remove_method"), EDITING)
    dry_runs = frozenset(permissions)

    def add(self, request: Request, id: str) -> JSONObject:
        """Add variants that go out in a {noun}, at the catalogue's present prices or at those given.

        Nothing is reserved yet.
        """
        found = self.change_and_order(id)
        outbound.add(actor=self.actor, change_id=found.change_id, **self.body())
        return self.changed(id, found)

    def change(self, request: Request, id: str, action_id: str) -> JSONObject:
        """Change a line that goes out in a {noun}. Metadata is merged."""
        found = self.change_and_order(id)
        outbound.change(actor=self.actor, change_id=found.change_id, action_id=action_id, **self.body())
        return self.changed(id, found)

    def remove(self, request: Request, id: str, action_id: str) -> JSONObject:
        """Remove a line that would go out in a {noun}."""
        found = self.change_and_order(id)
        outbound.remove(actor=self.actor, change_id=found.change_id, action_id=action_id)
        return self.changed(id, found)

    def add_method(self, request: Request, id: str) -> JSONObject:
        """Add a shipping method for what goes out in a {noun}, at the option's present price or another one."""
        found = self.change_and_order(id)
        shipping.add(actor=self.actor, change_id=found.change_id, is_inbound=False, **self.body())
        return self.changed(id, found)

    def change_method(self, request: Request, id: str, action_id: str) -> JSONObject:
        """Change a shipping method for what goes out in a {noun}. Metadata is merged."""
        found = self.change_and_order(id)
        shipping.change(
            actor=self.actor, change_id=found.change_id, action_id=action_id, is_inbound=False, **self.body()
        )
        return self.changed(id, found)

    def remove_method(self, request: Request, id: str, action_id: str) -> JSONObject:
        """Remove a shipping method for what goes out in a {noun}."""
        found = self.change_and_order(id)
        shipping.remove(actor=self.actor, change_id=found.change_id, action_id=action_id, is_inbound=False)
        return self.changed(id, found)


class ExchangeOutbound(Outbound):
    """What goes out in an exchange."""

    resource = EXCHANGES
    answers = dict.fromkeys(Outbound.permissions, answers.ExchangePreviewSerializer)


class ClaimOutbound(Outbound):
    """What goes out in a claim."""

    resource = CLAIMS
    answers = dict.fromkeys(Outbound.permissions, answers.ClaimPreviewSerializer)
