"""System checks for `manage.py check`."""

from collections.abc import Sequence

from django.apps import AppConfig
from django.conf import settings
from django.core import checks


def check_redirect_to_https(app_configs: Sequence[AppConfig] | None, **options: object) -> list[checks.CheckMessage]:
    """`serve` speaks plain HTTP: it knows only from a trusted proxy that a request was made by HTTPS."""
    if not settings.SECURE_SSL_REDIRECT or settings.TRUSTED_PROXIES:
        return []
    return [
        checks.Warning(
            "Every page redirects to https endlessly: SECURE_SSL_REDIRECT is on, and TRUSTED_PROXIES is 0.",
            hint="Set TRUSTED_PROXIES=1 behind a proxy that ends TLS and sets X-Forwarded-Proto.",
            id="commerce.W001",
        )
    ]
