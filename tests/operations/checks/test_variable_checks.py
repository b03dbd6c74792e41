"""Checks warn of variables that are nearly ours, and of URLs without encryption."""

import os
from unittest.mock import patch

import pytest
from django.conf import settings as shop
from pytest_django import Settings

from commerce.operations.checks.variable_checks import check_names, check_unencrypted_urls

pytestmark = pytest.mark.once


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("ALLOWED_HOST", "ALLOWED_HOSTS"),
        ("TRUSTED_PROXY", "TRUSTED_PROXIES"),
        ("TRUSTED_PROXIE", "TRUSTED_PROXIES"),
        ("TRUTSED_PROXIES", "TRUSTED_PROXIES"),
        ("MAIL_FORM", "MAIL_FROM"),
        ("MAILFROM", "MAIL_FROM"),
        ("SECRET-KEY", "SECRET_KEY"),
        ("COMMERCE_HOMES", "COMMERCE_HOME"),
        ("SECRET_KEYFILE", "SECRET_KEY_FILE"),
        ("allowed_hosts", "ALLOWED_HOSTS"),
    ],
)
def test_a_variable_one_letter_away_from_ours_is_named(given: str, meant: str) -> None:
    with patch.dict(os.environ, {given: "value"}):
        found = [(warning.id, warning.msg) for warning in check_names(None)]
    expected = f"{given} is set, but the shop does not read it. Did you mean {meant}?"
    assert found == [("commerce.W008", expected)]


def test_our_own_variables_and_those_of_other_programs_are_not_taken_for_each_other() -> None:
    """What shells, containers, systemd, CI, PostgreSQL, Redis, AWS, Sentry, OpenTelemetry and granian read."""
    others = (
        "HOME HOSTNAME HOST HOSTS LANG LC_ALL LOGNAME MAIL PATH PORT PWD SHELL SHLVL TERM TMPDIR TZ USER CI DISPLAY "
        "DEBUG EDITOR PAGER COLUMNS LINES SSH_AUTH_SOCK XDG_RUNTIME_DIR INVOCATION_ID JOURNAL_STREAM NOTIFY_SOCKET "
        "LISTEN_FDS WATCHDOG_USEC KUBERNETES_SERVICE_HOST PGHOST PGUSER PGPASSWORD PGDATABASE POSTGRES_PASSWORD "
        "POSTGRES_USER REDIS_HOST REDIS_PASSWORD AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_REGION AWS_PROFILE "
        "SENTRY_RELEASE SENTRY_ENVIRONMENT OTEL_SERVICE_NAME OTEL_EXPORTER_OTLP_HEADERS OTEL_RESOURCE_ATTRIBUTES "
        "HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy https_proxy no_proxy PYTHONPATH PYTHONUNBUFFERED "
        "PYTHONDONTWRITEBYTECODE VIRTUAL_ENV DJANGO_SETTINGS_MODULE GRANIAN_PORT GRANIAN_WORKERS WEB_CONCURRENCY "
        "PROMETHEUS_MULTIPROC_DIR EMAIL EMAIL_HOST SMTP_HOST STRIPE_API_KEY STRIPE_PUBLISHABLE_KEY "
        "NEXT_PUBLIC_BASE_URL MEDUSA_BACKEND_URL DATABASE_NAME DATABASE_HOST "
        "CORS STORE_CORS ADMIN_CORS AUTH_CORS COOKIE_SECRET"
    ).split()
    with patch.dict(os.environ, dict.fromkeys((*others, *shop.VARIABLES, "SECRET_KEY_FILE"), "value"), clear=True):
        assert check_names(None) == []


def test_urls_without_encryption_are_named_in_production(settings: Settings) -> None:
    settings.PUBLIC_URL, settings.MEDIA_URL = "http://api.shop.example", "/media/"
    settings.STOREFRONT_URL = "https://shop.example"
    assert check_unencrypted_urls(None) == []
    settings.PRODUCTION = True
    ((number, text, hint),) = [(warning.id, warning.msg, warning.hint) for warning in check_unencrypted_urls(None)]
    assert (number, hint) == ("commerce.W007", "Set PUBLIC_URL to the https:// URL.")
    assert text == (
        "PUBLIC_URL begins with http://: what browsers send and get there can be read and changed on its way."
    )
