"""System checks for `manage.py check`."""

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core import checks
from django.core.files.storage import default_storage

from kit.values.public_address import MEDIA_PATH


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


def check_mail_server(app_configs: Sequence[AppConfig] | None, **options: object) -> list[checks.CheckMessage]:
    """Without these settings, emails of a real shop get lost or lead nowhere."""
    if not settings.PRODUCTION:
        return []
    needed = [
        (
            settings.MAIL_SERVER_IS_SET,
            "Email goes to port 25 of this host",
            "EMAIL_URL=smtp+tls://user:secret@host:587",
        ),
        (
            settings.DEFAULT_FROM_EMAIL != "shop@localhost",
            "Email comes from shop@localhost",
            "MAIL_FROM=tea@shop.example",
        ),
        (settings.STOREFRONT_URL, "Emails have no links", "STOREFRONT_URL=https://www.shop.example"),
    ]
    return [
        checks.Warning(
            f"{consequence}: {example.partition('=')[0]} is not set.",
            hint=f"Set it, for example {example}",
            id="commerce.W002",
        )
        for is_set, consequence, example in needed
        if not is_set
    ]


def check_picture_addresses(app_configs: Sequence[AppConfig] | None, **options: object) -> list[checks.CheckMessage]:
    """Pages of a storefront cannot load a picture by a path: the path would be one of the storefront."""
    if not settings.PRODUCTION or settings.PUBLIC_URL or settings.MEDIA_URL != MEDIA_PATH:
        return []
    return [
        checks.Warning(
            "Storefronts cannot load pictures: their URLs are relative, because PUBLIC_URL is not set.",
            hint="Set PUBLIC_URL=https://api.shop.example, or MEDIA_URL to the URL of the server that has them.",
            id="commerce.W003",
        )
    ]


def check_bucket(app_configs: Sequence[AppConfig] | None, **options: object) -> list[checks.CheckMessage]:
    """Uploaded pictures would not become ready. The shop can serve nevertheless, so it is no error."""
    if not settings.S3_BUCKET:
        return []
    storage: Any = default_storage  # an S3Files, whose libraries may be missing in other shops
    fault = storage.fault()
    hint = "Correct S3_BUCKET, S3_ENDPOINT_URL, S3_REGION, S3_ACCESS_KEY_ID or S3_SECRET_ACCESS_KEY."
    return [checks.Warning(f"Pictures cannot be stored. {fault}", hint=hint, id="commerce.W004")] if fault else []
