"""The key routes of /admin."""

from typing import Any

from rest_framework.request import Request

from apikeys import channel_scope, deletion, issuance, renaming, revocation
from apikeys.api import field_sets
from apikeys.api.filters import ApiKeyFilters
from apikeys.api.serializers import ApiKeyInput, ApiKeySerializer, ApiKeyTitleInput, ChannelScopeInput, RevocationInput
from apikeys.states import KeyType
from commerce.api.answers import DeletedSerializer
from commerce.api.reads import List, Retrieve
from commerce.api.viewsets import AdminEndpoint
from commerce.core.actor import SYSTEM
from commerce.core.selection import Selection


class ApiKeys(List, Retrieve, AdminEndpoint):
    """API keys: publishable ones scope a storefront, secret ones let programs act for a member of staff."""

    resource = "api_key"
    resources = "api_keys"
    serializer_class = ApiKeySerializer
    field_set = field_sets.API_KEYS
    filterset_class = ApiKeyFilters
    default_limit = 20
    inputs = {
        "create": ApiKeyInput,
        "rename": ApiKeyTitleInput,
        "revoke": RevocationInput,
        "set_channels": ChannelScopeInput,
    }
    answers = {"destroy": DeletedSerializer}
    permissions = {
        "list": "apikeys.view_apikey",
        "retrieve": "apikeys.view_apikey",
        "create": "apikeys.add_apikey",
        "rename": "apikeys.change_apikey",
        "revoke": "apikeys.change_apikey",
        "set_channels": "apikeys.change_apikey",
        "destroy": "apikeys.delete_apikey",
    }

    def create(self, request: Request) -> dict[str, Any]:
        """Create a key. Its token is in this answer; for a secret key it is never shown again."""
        wanted = self.body()
        self.only("fields")
        selection = self.selection(field_sets.CREATED_API_KEY)
        issued = issuance.issue(actor=self.actor, title=wanted["title"], type=KeyType(wanted["type"]))
        return self._written(issued.key.pk, selection, token=issued.token)

    def rename(self, request: Request, id: str) -> dict[str, Any]:
        """Change the key's title."""
        wanted = self.body()
        self.only("fields")
        selection = self.selection()
        renaming.rename(actor=self.actor, key_id=id, title=wanted["title"])
        return self._written(id, selection)

    def revoke(self, request: Request, id: str) -> dict[str, Any]:
        """End the key, at once or in `revoke_in` seconds."""
        wanted = self.body()
        self.only("fields")
        selection = self.selection()
        revocation.revoke(actor=self.actor, key_id=id, revoke_in=wanted.get("revoke_in", 0))
        return self._written(id, selection)

    def set_channels(self, request: Request, id: str) -> dict[str, Any]:
        """Add sales channels to a publishable key's scope, and take others from it."""
        change = self.body()
        self.only("fields")
        selection = self.selection()
        channel_scope.rescope(actor=self.actor, key_id=id, add=change.get("add", []), remove=change.get("remove", []))
        return self._written(id, selection)

    def destroy(self, request: Request, id: str) -> dict[str, Any]:
        """Delete a revoked key."""
        self.only()
        deletion.delete(actor=self.actor, key_id=id)
        return {"id": id, "object": "api_key", "deleted": True}

    def _written(self, id: str, selection: Selection, **shown_once: str) -> dict[str, Any]:
        """The key as it now is. Who may change a key sees the answer, with the permission to view keys or without."""
        return {self.resource: {**self.read(id, selection, actor=SYSTEM), **shown_once}}
