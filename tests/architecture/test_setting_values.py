"""Values of the environment that cannot be used: what stops the start names the variable and what it may be."""

import pytest

from tests.architecture.test_settings import STRONG, refusal, reported

pytestmark = pytest.mark.once
DEVELOPMENT = {"COMMERCE_ENV": "development"}


@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        ("LOGIN_ATTEMPTS", "ten", "LOGIN_ATTEMPTS must be a whole number of at least 0, not 'ten'."),
        ("LOGIN_WINDOW", "0", "LOGIN_WINDOW must be a whole number of at least 1, not '0'."),
        ("PRUNE_INTERVAL", "-1", "PRUNE_INTERVAL must be a whole number of at least 0, not '-1'."),
        ("METRICS_PORT", "99999", "METRICS_PORT must be a whole number from 0 to 65535, not '99999'."),
        ("METRICS_PORT", "nine", "METRICS_PORT must be a whole number from 0 to 65535, not 'nine'."),
        ("JWT_LIFETIME", "1.5", "JWT_LIFETIME must be a whole number of at least 1, not '1.5'."),
        ("CUSTOMER_JWT_LIFETIME", "7d", "CUSTOMER_JWT_LIFETIME must be a whole number of at least 1, not '7d'."),
        ("SECURE_SSL_REDIRECT", "ja", "SECURE_SSL_REDIRECT must be true or false, not 'ja'."),
        ("LOG_LEVEL", "info", "LOG_LEVEL must be DEBUG, INFO, WARNING, ERROR or CRITICAL, not 'info'."),
        ("SESSION_SAMESITE", "lax", "SESSION_SAMESITE must be Lax, Strict or None, not 'lax'."),
        ("RETURN_AFTER", "packed", "RETURN_AFTER must be delivered or shipped, not 'packed'."),
        ("TIME_ZONE", "Berlin", "TIME_ZONE must be a time zone such as Europe/Berlin, not 'Berlin'."),
        ("TIME_ZONE", "../etc", "TIME_ZONE must be a time zone such as Europe/Berlin, not '../etc'."),
        ("PAYMENT_PROVIDERS", "mine", "PAYMENT_PROVIDERS must be id=value, comma-separated; 'mine' is not."),
        (
            "EMAIL_URL",
            "mail.example:587",
            "EMAIL_URL must be a URL such as smtp+tls://user:password@host:587, with %-escapes in the password.",
        ),
        (
            "DATABASE_URL",
            "postgresql://shop@db:port/shop",
            "DATABASE_URL must begin with sqlite:/// or postgresql://, as postgresql://user:password@host:5432/name.",
        ),
        (
            "DATABASE_REPLICA_URLS",
            "postgresql://shop@db2/shop,sqlite:///shop.sqlite3",
            "Each of DATABASE_REPLICA_URLS must begin with postgresql://, as postgresql://user:password@host:5432/name.",
        ),
        (
            "COMMERCE_HOME",
            "/nowhere",
            "COMMERCE_HOME must be the absolute path of a folder that exists, not '/nowhere'.",
        ),
        ("SENTRY_DSN", "https://sentry.example/1", "SENTRY_DSN must be a DSN of Sentry, https://KEY@HOST/PROJECT."),
        (
            "OTEL_EXPORTER_OTLP_ENDPOINT",
            "localhost:4318",
            "OTEL_EXPORTER_OTLP_ENDPOINT must begin with http:// or https:// and a host, not 'localhost:4318'.",
        ),
        (
            "REDIS_URL",
            "localhost:6379",
            (
                "REDIS_URL must begin with redis:// or rediss:// and a host, or with unix:///, "
                "as REDIS_URL=redis://:PASSWORD@HOST:6379/0."
            ),
        ),
        ("COMMERCE_HOME", "docs", "COMMERCE_HOME must be the absolute path of a folder that exists, not 'docs'."),
    ],
)
def test_a_value_that_cannot_be_used_is_refused(name: str, given: str, message: str) -> None:
    assert refusal(**DEVELOPMENT, **{name: given}) == message


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
