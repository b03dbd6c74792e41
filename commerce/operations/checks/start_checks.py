"""System checks of what keeps the shop from serving: `serve` refuses to start. Each names the variable to change."""

import re
from collections.abc import Sequence

from django.apps import AppConfig
from django.conf import settings
from django.core import checks

from fulfillment.providers.base import Provider as FulfillmentProvider
from kit.search.engines import SearchEngine
from payments.providers.base import Provider as PaymentProvider
from shop.providers.provider_code import provider_class
from taxes.providers.base import Provider as TaxProvider

_HOST = re.compile(r"\.?[a-z0-9][a-z0-9._-]*|\[[0-9a-f:.]+\]", re.IGNORECASE | re.ASCII)
_PROVIDERS = {
    "PAYMENT_PROVIDERS": PaymentProvider,
    "FULFILLMENT_PROVIDERS": FulfillmentProvider,
    "TAX_PROVIDERS": TaxProvider,
}


def check_hosts(app_configs: Sequence[AppConfig] | None, **options: object) -> list[checks.CheckMessage]:
    """With *, a forged Host header chooses the address in redirects."""
    if not settings.PRODUCTION:
        return []
    hint = "Set ALLOWED_HOSTS=shop.example: the names that clients use, without scheme and port, comma-separated."
    wrong = [host for host in settings.ALLOWED_HOSTS if not _HOST.fullmatch(host)]
    found = [f"ALLOWED_HOSTS: '{host}' is not a host name." for host in wrong]
    if not settings.ALLOWED_HOSTS:
        found = ["ALLOWED_HOSTS is not set: every request is refused."]
    return [checks.Error(text, hint=hint, id="commerce.E002") for text in found]


def check_providers(app_configs: Sequence[AppConfig] | None, **options: object) -> list[checks.CheckMessage]:
    """Otherwise the first payment, shipping price or taxed cart would find out."""
    faults = [
        (f"{setting} names {name} for {provider_id}, {fault}", setting)
        for setting, base in _PROVIDERS.items()
        for provider_id, name in getattr(settings, setting).items()
        if (fault := _fault(name, base))
    ]
    hint = "Correct the entry of {}, id=dotted.name of a class, or install what the class imports."
    return [checks.Error(text, hint=hint.format(setting), id="commerce.E003") for text, setting in faults]


def check_search_engines(app_configs: Sequence[AppConfig] | None, **options: object) -> list[checks.CheckMessage]:
    """Otherwise every search would find out."""
    faults = [(name, fault) for name in settings.SEARCH_ENGINES.values() if (fault := _fault(name, SearchEngine))]
    hint = "Set PRODUCT_SEARCH_ENGINE to the dotted name of a class, install what it imports, or remove the variable."
    texts = [f"PRODUCT_SEARCH_ENGINE names {name}, {fault}" for name, fault in faults]
    return [checks.Error(text, hint=hint, id="commerce.E006") for text in texts]


def _fault(name: str, base: type) -> str:
    try:
        found = provider_class(name)
    except Exception as error:  # noqa: BLE001 - a module may raise anything
        return f"which cannot be imported: {error!r}."
    is_subclass = isinstance(found, type) and issubclass(found, base)
    return "" if is_subclass else f"which is not a subclass of {base.__module__}.{base.__qualname__}."
