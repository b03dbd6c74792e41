"""The providers that settings name."""

from functools import cache

from django.conf import settings
from django.utils.module_loading import import_string

from payments.errors import ProviderUnavailable
from payments.providers.base import Provider


def provider(provider_id: str) -> Provider:
    """The one that serves all of this process. Raises ProviderUnavailable where settings name none."""
    name = settings.PAYMENT_PROVIDERS.get(provider_id)
    if name is None:
        raise ProviderUnavailable(provider_id)
    return _made(name)


@cache
def _made(name: str) -> Provider:
    made: Provider = import_string(name)()
    return made
