"""What the settings make of values of the environment; test_wrong_settings.py has those that are refused."""

import pytest

from tests.architecture.test_settings import STRONG, refusal, reported

pytestmark = [pytest.mark.every(3), pytest.mark.once]
DEVELOPMENT = {"COMMERCE_ENV": "development"}


@pytest.mark.parametrize(
    ("given", "expression", "value"),
    [
        ({"LOGIN_ATTEMPTS": "", "SECURE_SSL_REDIRECT": ""}, "settings.THROTTLES['login_account'][0]", "10"),
        ({"SHOW_PROVIDER_DATA": "YES"}, "settings.SHOW_PROVIDER_DATA", "True"),
        ({"SHOW_PROVIDER_DATA": "off"}, "settings.SHOW_PROVIDER_DATA", "False"),
        ({"PAYMENT_PROVIDERS": "a=b.C,d=e.F"}, "settings.PAYMENT_PROVIDERS", "{'a': 'b.C', 'd': 'e.F'}"),
        ({}, "settings.PAYMENT_PROVIDERS", "{'pp_system_default': 'payments.providers.system.SystemProvider'}"),
    ],
)
def test_a_value_that_can_is_read(given: dict[str, str], expression: str, value: str) -> None:
    assert reported(expression, **DEVELOPMENT, **given).stdout.strip() == value


def test_the_defaults_of_limits_for_strangers() -> None:
    """Attempts at an account by address and by day, days that an address stays known, seconds of the database."""
    limits = "settings.THROTTLES['login_account'], settings.THROTTLES['login_account_daily']"
    shown = f"{limits}, settings.KNOWN_ADDRESS_LIFETIME.days, settings.REQUEST_DATABASE_TIME"
    assert reported(shown, **STRONG).stdout.strip() == "((10, 900), (100, 86400), 90, 2.0)"


@pytest.mark.parametrize(
    ("name", "given", "module", "message"),
    [
        ("STRIPE_SECRET_KEY", "sk_test_1", "stripe", "stripe is missing: make install EXTRAS=stripe"),
        ("INVOICE_PDF", "True", "weasyprint", "weasyprint is missing: make install EXTRAS=invoices"),
        ("SENTRY_DSN", "https://key@s.example/1", "sentry_sdk", "sentry-sdk is missing: make install EXTRAS=sentry"),
        (
            "OTEL_EXPORTER_OTLP_ENDPOINT",
            "http://127.0.0.1:4318",
            "opentelemetry.exporter.otlp.proto.http",
            "opentelemetry-exporter-otlp-proto-http is missing: make install EXTRAS=opentelemetry",
        ),
    ],
)
def test_an_extra_without_its_library_is_refused(name: str, given: str, module: str, message: str) -> None:
    without = f"__import__('sys').modules.__setitem__('{module}', None) or settings.DEBUG"
    stopped = reported(without, **DEVELOPMENT, **{name: given})
    assert stopped.stderr.splitlines()[-1].endswith(f"{name} is set, but the library {message}")


def test_hsts_covers_this_host_alone_unless_it_is_set() -> None:
    shown = "settings.SECURE_HSTS_SECONDS, settings.SECURE_HSTS_INCLUDE_SUBDOMAINS, settings.SECURE_HSTS_PRELOAD"
    assert reported(shown, **STRONG).stdout.strip() == "(31536000, False, False)"
    switched = reported(shown, **STRONG, HSTS_INCLUDE_SUBDOMAINS="on", HSTS_PRELOAD="on")
    assert switched.stdout.strip() == "(31536000, True, True)"


@pytest.mark.parametrize("switch", ["THROTTLES_IN_REDIS", "SESSIONS_IN_REDIS", "TASKS_IN_REDIS"])
def test_a_switch_of_redis_needs_its_address_and_library(switch: str) -> None:
    assert refusal(**DEVELOPMENT, **{switch: "True"}) == (
        f"{switch} is set, but REDIS_URL is not: set REDIS_URL=redis://:PASSWORD@HOST:6379/0, or remove {switch}."
    )
    address = {"REDIS_URL": "redis://localhost"}
    assert reported(f"settings.{switch}", **DEVELOPMENT, **address).stdout.strip() == "False"
    assert reported(f"settings.{switch}", **DEVELOPMENT, **address, **{switch: "on"}).stdout.strip() == "True"
    without = f"__import__('sys').modules.__setitem__('redis', None) or settings.{switch}"
    stopped = reported(without, **DEVELOPMENT, **address, **{switch: "on"})
    missing = f"{switch} is set, but the library redis is missing: make install EXTRAS=redis"
    assert stopped.stderr.splitlines()[-1].endswith(missing)
