"""Locking a webhook endpoint."""

from kit.database.locking import lock_named, lock_row
from kit.messages.webhooks.errors import AddressTaken, WebhookAddressNotFound
from kit.messages.webhooks.models import WebhookAddress


def lock_endpoint(address_id: str) -> WebhookAddress:
    """The address, locked until the transaction ends. Raises WebhookAddressNotFound for an unknown or deleted one.

    Callers check their own permission; the one to view addresses is not required.
    """
    address: WebhookAddress | None = lock_row(WebhookAddress.objects.not_deleted(), address_id)
    if address is None:
        raise WebhookAddressNotFound(address_id)
    return address


def require_free_url(url: str, *, apart_from: str | None = None) -> None:
    """Raise AddressTaken if another address has the URL. No other can take it until the transaction ends."""
    lock_named("webhook addresses")
    if WebhookAddress.objects.not_deleted().filter(url=url).exclude(pk=apart_from).exists():
        raise AddressTaken(url)
