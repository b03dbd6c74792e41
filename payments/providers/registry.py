"""The providers that settings name."""

from django.conf import settings

from kit.values.json import JSONObject
from payments.providers.base import PaymentForm, Provider
from shop.errors import ProviderUnavailable
from shop.providers.provider_code import load_provider


def provider(provider_id: str) -> Provider:
    """The one that serves all of this process. Raises ProviderUnavailable where settings name none."""
    name = settings.PAYMENT_PROVIDERS.get(provider_id)
    if name is None:
        raise ProviderUnavailable(f"payment provider {provider_id}", is_retried=True)
    loaded: Provider = load_provider(name)
    return loaded


def is_local(provider_id: str) -> bool:
    """Whether the provider calls nothing outside of the process; False for one that settings do not name."""
    return provider_id in settings.PAYMENT_PROVIDERS and provider(provider_id).is_local


def can_update(provider_id: str) -> bool:
    """Whether the provider changes the amount of a payment that it has prepared."""
    return provider_id in settings.PAYMENT_PROVIDERS and type(provider(provider_id)).update is not Provider.update


def shown_data(provider_id: str, data: JSONObject) -> JSONObject:
    """What storefronts may see of what a provider keeps with a session; nothing where settings name none."""
    return provider(provider_id).shown(data) if provider_id in settings.PAYMENT_PROVIDERS else {}


def payment_form(provider_id: str, data: JSONObject) -> PaymentForm | None:
    """What the shop's own payment page shows for it; None where it cannot be used there. See Provider.payment_form."""
    return provider(provider_id).payment_form(data) if provider_id in settings.PAYMENT_PROVIDERS else None
