"""API keys in GraphQL."""

from collections.abc import Collection
from functools import partial

from apikeys import channel_scope, deletion, issuance, renaming, revocation
from apikeys.api.resources import API_KEYS
from apikeys.api.serializers import ApiKeyInput, ApiKeyTitleInput, ChannelScopeInput, RevocationInput
from kit.domain.actor import Actor
from kit.graphql.context import RequestContext
from kit.graphql.fields.mutations import Action, Change, Written, written_by
from kit.graphql.fields.reads import ListField, SingleField
from kit.rest.responses.answers import DeletedSerializer
from kit.values.json import JSONObject

_VIEWING = "apikeys.view_apikey"
_change = partial(Change, API_KEYS, viewing=_VIEWING)
_by = partial(written_by, key="key_id")


def _create(*, actor: Actor, title: str, type: str, permissions: Collection[str] | None = None) -> Written:
    issued = issuance.issue(actor=actor, title=title, type=type, permissions=permissions)
    return Written(issued.key.pk, {"token": issued.token})


def _delete(context: RequestContext, *, id: str) -> JSONObject:
    deletion.delete(actor=context.actor("apikeys.delete_apikey"), key_id=id)
    return {"id": id, "object": API_KEYS.name, "deleted": True}


QUERIES = {
    "api_keys": ListField(API_KEYS, "The shop's API keys. For staff.", permission=_VIEWING),
    "api_key": SingleField(API_KEYS, "One API key. For staff.", permission=_VIEWING),
}
MUTATIONS = {
    "create_api_key": _change(
        "Create a key. The answer contains its token; that of a secret key is never shown again.",
        act=_create,
        permission="apikeys.add_apikey",
        input=ApiKeyInput,
        by_id=False,
    ),
    "rename_api_key": _change(
        "Change the key's title.", act=_by(renaming.rename), permission="apikeys.change_apikey", input=ApiKeyTitleInput
    ),
    "revoke_api_key": _change(
        "Revoke the key, immediately or in `revokeIn` seconds.",
        act=_by(revocation.revoke),
        permission="apikeys.change_apikey",
        input=RevocationInput,
    ),
    "set_api_key_sales_channels": _change(
        "Add sales channels to a publishable key, and remove others.",
        act=_by(channel_scope.update_channels),
        permission="apikeys.change_apikey",
        input=ChannelScopeInput,
    ),
    "delete_api_key": Action(DeletedSerializer, "Delete a revoked key.", act=_delete, by_id=True),
}
