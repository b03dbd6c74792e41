"""The steps of open exchanges and claims about what comes back, or is written off. `action_id`: that of a step."""

from rest_framework.request import Request

from kit.values.json import JSONObject
from orders.api.resources.edits import CLAIMS, EXCHANGES
from orders.api.serializers.changes import exchange_answers as answers
from orders.api.serializers.changes import exchange_inputs as inputs
from orders.api.serializers.changes.inputs import AddedMethodChangesInput, AddedMethodInput
from orders.api.viewsets.exchanges.base import ChangeAndOrder, GoodsChanges
from orders.changes.open_change import EDITING
from orders.exchanges import inbound, shipping, written_off


class Inbound(GoodsChanges):
    """Base of what comes back, in an open exchange or claim: units, and how they are sent."""

    inputs = {
        "add": inputs.ReturnedItemsInput,
        "change": inputs.ReturnedItemChangesInput,
        "add_method": AddedMethodInput,
        "change_method": AddedMethodChangesInput,
    }
    answers = dict.fromkeys((*inputs, "remove", "remove_method"), answers.ReturnPreviewSerializer)
    permissions = dict.fromkeys(answers, EDITING)
    dry_runs = frozenset(answers)

    def add(self, request: Request, id: str) -> JSONObject:
        """Add units of the order that come back in a {noun}."""
        found = self.change_and_order(id)
        inbound.add(actor=self.actor, change_id=found.change_id, **self.body())
        return self._told(found)

    def change(self, request: Request, id: str, action_id: str) -> JSONObject:
        """Change units that come back in a {noun}. Metadata is merged."""
        found = self.change_and_order(id)
        inbound.change(actor=self.actor, change_id=found.change_id, action_id=action_id, **self.body())
        return self._told(found)

    def remove(self, request: Request, id: str, action_id: str) -> JSONObject:
        """Remove units that would come back in a {noun}."""
        found = self.change_and_order(id)
        inbound.remove(actor=self.actor, change_id=found.change_id, action_id=action_id)
        return self._told(found)

    def add_method(self, request: Request, id: str) -> JSONObject:
        """Choose how units of a {noun} are sent back, at the option's present price or another one."""
        found = self.change_and_order(id)
        shipping.add(actor=self.actor, change_id=found.change_id, is_inbound=True, **self.body())
        return self._told(found)

    def change_method(self, request: Request, id: str, action_id: str) -> JSONObject:
        """Change how units of a {noun} are sent back. Metadata is merged."""
        found = self.change_and_order(id)
        shipping.change(
            actor=self.actor, change_id=found.change_id, action_id=action_id, is_inbound=True, **self.body()
        )
        return self._told(found)

    def remove_method(self, request: Request, id: str, action_id: str) -> JSONObject:
        """Choose no way to send units of a {noun} back."""
        found = self.change_and_order(id)
        shipping.remove(actor=self.actor, change_id=found.change_id, action_id=action_id, is_inbound=True)
        return self._told(found)

    def _told(self, found: ChangeAndOrder) -> JSONObject:
        return {**self.previewed(found), **self.returned(found)}


class ExchangeInbound(Inbound):
    """What comes back in an exchange."""

    resource = EXCHANGES


class ClaimInbound(Inbound):
    """What comes back in a claim."""

    resource = CLAIMS
    answers = {**Inbound.answers, "change_method": answers.RequestedClaimSerializer}

    def change_method(self, request: Request, id: str, action_id: str) -> JSONObject:
        """Change how units of a {noun} are sent back. Metadata is merged. The answer has the claim, too."""
        return {**super().change_method(request, id, action_id), **self.shown(id)}


class ClaimedItems(GoodsChanges):
    """The units that an open claim is about. Its confirmation writes off those that do not come back."""

    resource = CLAIMS
    inputs = {"add": inputs.ClaimedItemsInput, "change": inputs.ClaimedItemChangesInput}
    answers = dict.fromkeys(("add", "change", "remove"), answers.ClaimPreviewSerializer)
    permissions = dict.fromkeys(answers, EDITING)
    dry_runs = frozenset(answers)

    def add(self, request: Request, id: str) -> JSONObject:
        """Add claimed units."""
        found = self.change_and_order(id)
        written_off.add(actor=self.actor, change_id=found.change_id, **self.body())
        return self.changed(id, found)

    def change(self, request: Request, id: str, action_id: str) -> JSONObject:
        """Change claimed units. Metadata is merged."""
        found = self.change_and_order(id)
        written_off.change(actor=self.actor, change_id=found.change_id, action_id=action_id, **self.body())
        return self.changed(id, found)

    def remove(self, request: Request, id: str, action_id: str) -> JSONObject:
        """Remove claimed units."""
        found = self.change_and_order(id)
        written_off.remove(actor=self.actor, change_id=found.change_id, action_id=action_id)
        return self.changed(id, found)
