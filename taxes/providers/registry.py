"""The providers that settings name."""

from django.conf import settings

from shop.errors import ProviderUnavailable
from shop.providers.provider_code import load_provider
from taxes.providers.base import Provider


def provider(provider_id: str) -> Provider:
    """The one that serves all of this process. Raises ProviderUnavailable where settings name none."""
    name = settings.TAX_PROVIDERS.get(provider_id)
    if name is None:
        raise ProviderUnavailable(f"tax provider {provider_id}")
    loaded: Provider = load_provider(name)
    return loaded
