"""Authentication by API keys: publishable keys for /store, and secret keys, which act for their staff user."""

import base64
import binascii

from django.http import HttpRequest
from rest_framework.request import Request

from apikeys import last_used
from apikeys.verification import default_channels, publishable_scope, secret_key_owner
from kit.domain.actor import Actor
from kit.errors import NotAllowed
from kit.rest.authentication import ActorAuthentication
from staff.actors import staff_actor

KEY_REQUIRED = (
    "Publishable API key required in the request header: x-publishable-api-key. "
    "You can manage your keys in settings in the dashboard."
)
KEY_INVALID = "A valid publishable key is required to proceed with the request"


def store_scope(request: HttpRequest) -> Actor:
    """The anonymous actor in the scope of the request's publishable key.

    Raises NotAllowed for a missing, unknown, secret or revoked key.
    Why: docs/decisions/security.md#a-publishable-key-bounds-what-a-request-reads.
    """
    token = request.META.get("HTTP_X_PUBLISHABLE_API_KEY")
    if not token:
        raise NotAllowed(KEY_REQUIRED)
    scope = publishable_scope(token)
    if scope is None:
        raise NotAllowed(KEY_INVALID)
    last_used.publishable_keys.record_use(scope.key_id)
    return Actor(type="anonymous", sales_channel_ids=scope.sales_channel_ids, through=scope.key_id)


def keyless_scope() -> Actor:
    """The anonymous actor in the store's default sales channel, for requests that need no key."""
    return Actor(type="anonymous", sales_channel_ids=default_channels())


class SecretKeyAuthentication(ActorAuthentication):
    """`Authorization: Bearer sk_…`, or Basic with the key as user name. An invalid key counts as no credential."""

    def authenticate(self, request: Request) -> tuple[Actor, str] | None:
        token = _secret_token(request.META.get("HTTP_AUTHORIZATION", ""))
        owned = secret_key_owner(token) if token else None
        if owned is None:
            return None
        key, user = owned
        last_used.secret_keys.record_use(key.pk)
        within = None if key.permissions is None else frozenset(key.permissions)
        return staff_actor(user, through=key.pk, within=within), key.pk


def _secret_token(header: str) -> str | None:
    """The secret key in an Authorization header; with Basic it may be raw or encoded as `sk_…:`."""
    scheme, _, value = header.partition(" ")
    value = value.strip()
    if scheme.lower() == "basic" and not value.startswith("sk_"):
        try:
            value = base64.b64decode(value, validate=True).decode("ascii").partition(":")[0]
        except (binascii.Error, UnicodeDecodeError):
            return None
    return value if scheme.lower() in ("bearer", "basic") and value.startswith("sk_") else None
