"""The providers that settings name."""

from functools import cache

from django.conf import settings
from django.utils.module_loading import import_string

from commerce.kit.core.json import JSONObject
from payments.errors import ProviderUnavailable
from payments.providers.base import Provider


def provider(provider_id: str) -> Provider:
    """The one that serves all of this process. Raises ProviderUnavailable where settings name none."""
    name = settings.PAYMENT_PROVIDERS.get(provider_id)
    if name is None:
        raise ProviderUnavailable(provider_id)
    return _made(name)


def shown_data(provider_id: str, data: JSONObject) -> JSONObject:
    """What storefronts may see of what a provider keeps with a session; nothing where settings name none."""
    return provider(provider_id).shown(data) if provider_id in settings.PAYMENT_PROVIDERS else {}


@cache
def _made(name: str) -> Provider:
    made: Provider = import_string(name)()
    return made
