"""Encrypting the secrets of webhook endpoints again after a change of SECRET_KEY."""

from kit.messages.webhooks.endpoints.signing_secrets import UnreadableSecret, is_current, seal, unseal
from kit.messages.webhooks.models import WebhookAddress

_COLUMNS = ("sealed_secret", "sealed_former_secret")


def reseal_secrets() -> tuple[int, list[WebhookAddress]]:
    """Encrypt with SECRET_KEY what one of SECRET_KEY_FALLBACKS has encrypted.

    Returns the number of secrets, and the addresses with a secret that none of those keys decrypts.
    """
    count, unreadable = 0, []
    for address in WebhookAddress.objects.not_deleted().order_by("pk"):
        try:
            count += sum(_reseal(address, column) for column in _COLUMNS)
        except UnreadableSecret:
            unreadable.append(address)
    return count, unreadable


def _reseal(address: WebhookAddress, column: str) -> int:
    sealed: str = getattr(address, column)
    if not sealed or is_current(sealed):
        return 0
    unchanged = WebhookAddress.objects.filter(pk=address.pk, **{column: sealed})
    return unchanged.update(**{column: seal(unseal(sealed))})
