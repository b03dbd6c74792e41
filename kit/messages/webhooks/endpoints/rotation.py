"""Changing the secret of a webhook endpoint."""

from datetime import timedelta

from django.db import transaction

from kit.domain.actor import Actor
from kit.messages.webhooks.endpoints.adding import SecretAddress
from kit.messages.webhooks.endpoints.endpoint_lock import lock_endpoint
from kit.messages.webhooks.endpoints.signing_secrets import is_readable, new_secret, seal
from kit.values.timestamps import now

OVERLAP = timedelta(hours=24)


@transaction.atomic
def rotate(*, actor: Actor, address_id: str, is_leaked: bool = False) -> SecretAddress:
    """Give the address a new secret. For OVERLAP its deliveries are signed with the former one too.

    is_leaked: stop signing with the former secret immediately. Raises WebhookAddressNotFound, Forbidden.
    """
    actor.require("webhooks.change_webhookaddress")
    address = lock_endpoint(address_id)
    secret = new_secret()
    keeps_former = not is_leaked and is_readable(address.sealed_secret)
    address.sealed_former_secret = address.sealed_secret if keeps_former else ""
    address.former_secret_until = now() + OVERLAP if keeps_former else None
    address.sealed_secret = seal(secret)
    address.save(update_fields=["sealed_secret", "sealed_former_secret", "former_secret_until", "updated_at"])
    return SecretAddress(address, secret)
