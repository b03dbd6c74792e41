"""The key routes of /admin."""

from rest_framework.request import Request

from apikeys import channel_scope, deletion, issuance, renaming, revocation
from apikeys.api.resources import API_KEYS, CREATED_API_KEY
from apikeys.api.serializers import ApiKeyInput, ApiKeyTitleInput, ChannelScopeInput, RevocationInput
from kit.rest.reads import List, Retrieve
from kit.rest.responses.answers import DeletedSerializer
from kit.rest.viewsets import AdminEndpoint
from kit.rest.writes import WriteEndpoint
from kit.values.json import JSONObject


class ApiKeys(List, Retrieve, WriteEndpoint, AdminEndpoint):
    """API keys: publishable ones are for storefronts, secret ones let programs act for a staff user."""

    resource = API_KEYS
    resources = {"create": CREATED_API_KEY}
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

    def create(self, request: Request) -> JSONObject:
        """Create an API key. The answer contains its token; that of a secret key is never shown again."""
        issued = issuance.issue(actor=self.actor, **self.body())
        return self.written(issued.key.pk, token=issued.token)

    def rename(self, request: Request, id: str) -> JSONObject:
        """Rename an API key."""
        renaming.rename(actor=self.actor, key_id=id, **self.body())
        return self.written(id)

    def revoke(self, request: Request, id: str) -> JSONObject:
        """Revoke an API key, immediately or in `revoke_in` seconds."""
        revocation.revoke(actor=self.actor, key_id=id, **self.body())
        return self.written(id)

    def set_channels(self, request: Request, id: str) -> JSONObject:
        """Add sales channels to a publishable key, and remove others."""
        channel_scope.update_channels(actor=self.actor, key_id=id, **self.body())
        return self.written(id)

    def destroy(self, request: Request, id: str) -> JSONObject:
        """Delete a revoked API key."""
        deletion.delete(actor=self.actor, key_id=id)
        return self.deleted(id)
