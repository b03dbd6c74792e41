"""The providers that settings name."""

from django.conf import settings

from fulfillment.providers.base import Provider
from shop.errors import ProviderUnavailable
from shop.providers.provider_code import load_provider


def provider(provider_id: str) -> Provider:
    """The one that serves all of this process. Raises ProviderUnavailable where settings name none."""
    name = settings.FULFILLMENT_PROVIDERS.get(provider_id)
    if name is None:
        raise ProviderUnavailable(f"fulfillment provider {provider_id}", is_retried=True)
    loaded: Provider = load_provider(name)
    return loaded


def books_parcels(provider_id: str | None) -> bool:
    """Whether the provider books parcels. False for None, and for a provider that settings do not name."""
    return provider_id in settings.FULFILLMENT_PROVIDERS and provider(str(provider_id)).books_parcels
