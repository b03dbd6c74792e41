"""System checks of what the environment names: variables that are nearly ours, and URLs without encryption."""

import os
from collections.abc import Sequence
from itertools import takewhile

from django.apps import AppConfig
from django.conf import settings
from django.core import checks


def check_names(app_configs: Sequence[AppConfig] | None, **options: object) -> list[checks.CheckMessage]:
    """A mistyped variable silently has no effect."""
    ours = {spelling for name in settings.VARIABLES for spelling in (name, f"{name}_FILE")}
    return [
        checks.Warning(
            f"{given} is set, but the shop does not read it. Did you mean {name}?",
            hint="Rename it, or remove it from the environment or .env.",
            id="commerce.W008",
        )
        for given in sorted(os.environ.keys() - ours)
        if (name := next((name for name in sorted(ours) if _is_meant(given.upper(), name)), ""))
    ]


def check_unencrypted_urls(app_configs: Sequence[AppConfig] | None, **options: object) -> list[checks.CheckMessage]:
    """Browsers follow the URLs of emails and responses as they are."""
    if not settings.PRODUCTION:
        return []
    urls = {name: getattr(settings, name) for name in ("PUBLIC_URL", "MEDIA_URL", "STOREFRONT_URL")}
    return [
        checks.Warning(
            f"{name} begins with http://: what browsers send and get there can be read and changed on its way.",
            hint=f"Set {name} to the https:// URL.",
            id="commerce.W007",
        )
        for name, url in urls.items()
        if url.startswith("http://")
    ]


def _is_meant(given: str, name: str) -> bool:
    """Whether the names are nearly the same, perhaps in the singular: PROXY for PROXIES."""
    return _is_nearly(given, name) or _is_nearly(given, name.replace("IES", "Y"))


def _is_nearly(given: str, name: str) -> bool:
    """Whether all that differs is one letter, or two in the wrong order."""
    start = _shared(given, name)
    end = _shared(given[start:][::-1], name[start:][::-1])
    ours, theirs = name[start : len(name) - end], given[start : len(given) - end]
    return max(len(ours), len(theirs)) <= 1 or (len(ours) == 2 and ours == theirs[::-1])


def _shared(first: str, second: str) -> int:
    """How many letters at the beginning are the same."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(first, second, strict=False)))
