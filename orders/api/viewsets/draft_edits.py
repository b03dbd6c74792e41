"""The routes that change draft orders. `id` is the draft's."""

from collections.abc import Collection
from typing import Any

from django.db import transaction
from rest_framework.request import Request

from kit.rest.responses.answers import DeletedSerializer
from kit.rest.viewsets import AdminEndpoint
from kit.rest.writes import WriteEndpoint
from kit.values.json import JSONObject
from orders.api.resources.drafts import DRAFT_ORDERS, preview
from orders.api.serializers.changes import draft_inputs as inputs
from orders.api.serializers.changes.drafts import DraftPreviewSerializer
from orders.drafts import items, lifecycle, promotions, shipping
from orders.drafts.locked_draft import MANAGING


class DraftSteps(WriteEndpoint, AdminEndpoint):
    """Base of the steps of a draft's change, which answer its preview."""

    resource = DRAFT_ORDERS

    @classmethod
    def offered(cls, action: str) -> Collection[str]:
        """`fields`, which the official SDK may send, and a preview ignores."""
        return ("fields",)

    def _handle(self) -> dict[str, Any]:
        """In one transaction with the preview: the step is done again where that asks a tax provider first."""
        with transaction.atomic():
            return super()._handle()

    def previewed(self, id: str) -> JSONObject:
        """The draft with its open change."""
        return {"draft_order_preview": preview(id, self.actor)}


class DraftEdits(DraftSteps):
    """The change of a draft: begun, marked as ready, confirmed and canceled."""

    inputs = {"begin": inputs.DraftTextsInput}
    answers = {
        **dict.fromkeys(("begin", "mark", "confirm"), DraftPreviewSerializer),
        "cancel": DeletedSerializer,
    }
    permissions = dict.fromkeys(answers, MANAGING)
    dry_runs = frozenset(answers)

    def begin(self, request: Request, id: str) -> JSONObject:
        """Begin to change a draft order. Nothing of it changes until the change is confirmed."""
        lifecycle.begin(actor=self.actor, draft_id=id, **self.body())
        return self.previewed(id)

    def mark(self, request: Request, id: str) -> JSONObject:
        """Mark the open change of a draft order as ready to be confirmed."""
        lifecycle.request(actor=self.actor, draft_id=id)
        return self.previewed(id)

    def confirm(self, request: Request, id: str) -> JSONObject:
        """Confirm the open change of a draft order: lines, codes, shipping and amounts change at once."""
        lifecycle.confirm(actor=self.actor, draft_id=id)
        return self.previewed(id)

    def cancel(self, request: Request, id: str) -> JSONObject:
        """Cancel the open change of a draft order, which stays as it is."""
        lifecycle.cancel(actor=self.actor, draft_id=id)
        return {"id": id, "object": "draft-order-edit", "deleted": True}


class DraftItems(DraftSteps):
    """The lines of a draft in its open change."""

    inputs = {
        "add": inputs.DraftItemsInput,
        "change": inputs.AddedDraftItemInput,
        "change_line": inputs.DraftLineInput,
    }
    answers = dict.fromkeys(("add", "change", "remove", "change_line"), DraftPreviewSerializer)
    permissions = dict.fromkeys(answers, MANAGING)
    dry_runs = frozenset(answers)

    def add(self, request: Request, id: str) -> JSONObject:
        """Add lines: variants, or titles with a price."""
        items.add(actor=self.actor, draft_id=id, **self.body())
        return self.previewed(id)

    def change(self, request: Request, id: str, action_id: str) -> JSONObject:
        """Change a line that the open change adds."""
        items.change_added(actor=self.actor, draft_id=id, action_id=action_id, **self.body())
        return self.previewed(id)

    def remove(self, request: Request, id: str, action_id: str) -> JSONObject:
        """Take a line that the open change adds out of it."""
        items.remove_added(actor=self.actor, draft_id=id, action_id=action_id)
        return self.previewed(id)

    def change_line(self, request: Request, id: str, item_id: str) -> JSONObject:
        """Change a line of the draft. A quantity of 0 removes it."""
        items.change_line(actor=self.actor, draft_id=id, line_id=item_id, **self.body())
        return self.previewed(id)


class DraftPromotions(DraftSteps):
    """The promotion codes of a draft in its open change."""

    inputs = dict.fromkeys(("add", "remove"), inputs.DraftCodesInput)
    answers = dict.fromkeys(("add", "remove"), DraftPreviewSerializer)
    permissions = dict.fromkeys(answers, MANAGING)
    dry_runs = frozenset(answers)

    def add(self, request: Request, id: str) -> JSONObject:
        """Add promotion codes. Their uses count once the draft is converted."""
        promotions.add(actor=self.actor, draft_id=id, **self.body())
        return self.previewed(id)

    def remove(self, request: Request, id: str) -> JSONObject:
        """Remove promotion codes."""
        promotions.remove(actor=self.actor, draft_id=id, **self.body())
        return self.previewed(id)


class DraftShipping(DraftSteps):
    """The shipping methods of a draft in its open change."""

    inputs = {
        "add": inputs.DraftMethodInput,
        "change": inputs.DraftMethodChangesInput,
        "change_method": inputs.DraftMethodChangesInput,
    }
    answers = dict.fromkeys(("add", "change", "remove", "change_method", "remove_method"), DraftPreviewSerializer)
    permissions = dict.fromkeys(answers, MANAGING)
    dry_runs = frozenset(answers)

    def add(self, request: Request, id: str) -> JSONObject:
        """Add a shipping method, at the option's price or at the one given."""
        shipping.add(actor=self.actor, draft_id=id, **self.body())
        return self.previewed(id)

    def change(self, request: Request, id: str, action_id: str) -> JSONObject:
        """Change a shipping method that the open change adds."""
        shipping.change_added(actor=self.actor, draft_id=id, action_id=action_id, **self.body())
        return self.previewed(id)

    def remove(self, request: Request, id: str, action_id: str) -> JSONObject:
        """Take a shipping method that the open change adds out of it."""
        shipping.remove_added(actor=self.actor, draft_id=id, action_id=action_id)
        return self.previewed(id)

    def change_method(self, request: Request, id: str, method_id: str) -> JSONObject:
        """Change a shipping method of the draft."""
        shipping.change_method(actor=self.actor, draft_id=id, method_id=method_id, **self.body())
        return self.previewed(id)

    def remove_method(self, request: Request, id: str, method_id: str) -> JSONObject:
        """Remove a shipping method of the draft."""
        shipping.remove_method(actor=self.actor, draft_id=id, method_id=method_id)
        return self.previewed(id)
