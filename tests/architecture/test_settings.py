"""Settings as another process reads them from its environment."""

import os
import subprocess
import sys

import pytest
from django.conf import settings
from django.db import connection

from tests.packages import ROOT

pytestmark = pytest.mark.every(3)

STRONG = {"SECRET_KEY": "q8Zr2LmX5vTn7KcB1yHd4WgJ9sPf3AeU", "JWT_SECRET": "uE6aFp0sJw8GdYh5BcKn2TvXm4LrZq7Q"}
ADVICE = (
    "set it to at least 32 random characters, for example the output of "
    "`python -c 'import secrets; print(secrets.token_urlsafe(48))'`, "
    "or set COMMERCE_ENV=development on a developer's machine."
)


def reported(expression: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """What a process of that environment alone prints for an expression over `settings`."""
    program = f"from django.conf import settings; print(({expression}))"
    given = {"PATH": os.environ["PATH"], "DJANGO_SETTINGS_MODULE": "commerce.settings", **environment}
    command = [sys.executable, "-c", program]
    return subprocess.run(command, cwd=ROOT, env=given, capture_output=True, text=True, check=False, timeout=60)


def refusal(**environment: str) -> str:
    """The last line of what stops such a process."""
    stopped = reported("settings.DEBUG", **environment)
    assert stopped.returncode == 1
    return stopped.stderr.splitlines()[-1].removeprefix("django.core.exceptions.ImproperlyConfigured: ")


@pytest.mark.once
@pytest.mark.parametrize("name", STRONG)
@pytest.mark.parametrize(
    ("given", "problem"),
    [
        (None, "is not set"),
        ("", "is not set"),
        ("q8Zr2LmX5vTn7KcB1yHd4WgJ9sPf3Ae", "is too weak"),
        ("abababababababababababababababababababab", "is too weak"),
        ("insecure-development-only-q8Zr2LmX5vTn7KcB", "is too weak"),
    ],
)
def test_production_refuses_a_missing_or_weak_secret_and_says_what_to_set(
    name: str, given: str | None, problem: str
) -> None:
    environment = {key: value for key, value in STRONG.items() if key != name}
    if given is not None:
        environment[name] = given
    assert refusal(**environment) == f"{name} {problem}: {ADVICE}"


@pytest.mark.once
def test_production_refuses_one_secret_for_both() -> None:
    assert refusal(SECRET_KEY=STRONG["SECRET_KEY"], JWT_SECRET=STRONG["SECRET_KEY"]) == (
        "JWT_SECRET must differ from SECRET_KEY: one leaked secret must not open the other."
    )


@pytest.mark.once
@pytest.mark.parametrize("name", ["SECRET_KEY_FALLBACKS", "JWT_SECRET_FALLBACKS"])
def test_former_secrets_are_a_list_of_strong_ones(name: str) -> None:
    strong = STRONG["SECRET_KEY"][::-1]
    assert reported(f"settings.{name}", **STRONG).stdout.strip() == "[]"
    given = reported(f"settings.{name}", **STRONG, **{name: f"{strong},{strong.lower()}"})
    assert given.stdout.strip() == str([strong, strong.lower()])
    assert refusal(**STRONG, **{name: f"{strong},short"}) == (
        f"{name} is too weak at place 2: it lists former secrets, as they were."
    )
    other = STRONG["JWT_SECRET" if name == "SECRET_KEY_FALLBACKS" else "SECRET_KEY"]
    assert refusal(**STRONG, **{name: other}) == (
        "JWT_SECRET must differ from SECRET_KEY: one leaked secret must not open the other."
    )


@pytest.mark.once
def test_production_takes_two_strong_ones_and_is_the_default() -> None:
    answer = reported("settings.PRODUCTION, settings.SECRET_KEY, settings.JWT_SECRET", **STRONG)
    assert answer.stdout.strip() == str((True, *STRONG.values()))


@pytest.mark.once
def test_a_storefronts_secret_is_strong_and_its_own_where_there_is_one() -> None:
    assert reported("settings.CLIENT_ADDRESS_SECRET", **STRONG).stdout == "\n"
    strong = STRONG["SECRET_KEY"][::-1]
    assert reported("settings.CLIENT_ADDRESS_SECRET", **STRONG, CLIENT_ADDRESS_SECRET=strong).stdout.strip() == strong
    assert refusal(**STRONG, CLIENT_ADDRESS_SECRET="short") == (
        f"CLIENT_ADDRESS_SECRET is too weak: {ADVICE.partition(', or set')[0]}, or leave it out."
    )
    for taken in STRONG.values():
        assert refusal(**STRONG, CLIENT_ADDRESS_SECRET=taken) == (
            "CLIENT_ADDRESS_SECRET must differ from the shop's other secrets: another program knows it."
        )


@pytest.mark.once
def test_development_needs_none_and_keeps_them_apart() -> None:
    answer = reported("settings.SECRET_KEY == settings.JWT_SECRET, settings.SECRET_KEY", COMMERCE_ENV="development")
    assert answer.stdout.strip() == "(False, 'insecure-development-only-secret_key-that-everybody-knows')"


@pytest.mark.once
def test_production_refuses_webhooks_over_http_and_to_local_addresses() -> None:
    assert reported("settings.WEBHOOKS_TO_LOCAL_ADDRESSES", COMMERCE_ENV="development").stdout.strip() == "False"
    allowed = reported(
        "settings.WEBHOOKS_TO_LOCAL_ADDRESSES", COMMERCE_ENV="development", WEBHOOKS_TO_LOCAL_ADDRESSES="1"
    )
    assert allowed.stdout.strip() == "True"
    assert refusal(**STRONG, WEBHOOKS_TO_LOCAL_ADDRESSES="1") == (
        "WEBHOOKS_TO_LOCAL_ADDRESSES is for development alone: remove it."
    )


@pytest.mark.once
def test_the_public_url_is_an_address_without_a_slash_at_its_end() -> None:
    answer = reported("settings.PUBLIC_URL", **STRONG, PUBLIC_URL="https://api.shop.example/")
    assert answer.stdout.strip() == "https://api.shop.example"
    assert reported("settings.PUBLIC_URL", **STRONG).stdout.strip() == ""
    assert reported("settings.PUBLIC_URL", COMMERCE_ENV="development").stdout.strip() == "http://127.0.0.1:8000"


@pytest.mark.once
def test_mail_goes_to_files_in_development_and_to_a_server_in_production() -> None:
    shown = "settings.EMAIL_BACKEND.split('.')[-2], settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_USE_TLS"
    assert reported(shown, COMMERCE_ENV="development").stdout.strip() == "('file_backend', None, None, False)"
    folder = reported("settings.EMAIL_FILE_PATH", COMMERCE_ENV="development")
    assert folder.stdout.strip() == str(ROOT / "var" / "mail")
    assert reported(shown, **STRONG).stdout.strip() == "('smtp', 'localhost', 25, False)"
    given = reported(shown, **STRONG, EMAIL_URL="smtp+tls://ann:secret@mail.example:587")
    assert given.stdout.strip() == "('smtp', 'mail.example', 587, True)"


@pytest.mark.django_db
def test_a_wait_for_a_lock_is_bounded_alike_on_both_databases() -> None:
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT setting FROM pg_settings WHERE name = 'lock_timeout'")
        else:
            cursor.execute("PRAGMA busy_timeout")
        (milliseconds,) = cursor.fetchone()
    assert int(milliseconds) == settings.LOCK_TIMEOUT_MS == 2000


@pytest.mark.once
@pytest.mark.parametrize(
    ("url", "bound"),
    [
        ("sqlite:///var/other.sqlite3", "settings.DATABASES['default']['OPTIONS']['timeout'] == 0.7"),
        ("postgresql://shop@db/shop", "'lock_timeout=700 ' in settings.DATABASES['default']['OPTIONS']['options']"),
    ],
)
def test_that_bound_is_a_setting(url: str, bound: str) -> None:
    assert reported(bound, COMMERCE_ENV="development", DATABASE_URL=url, LOCK_TIMEOUT_MS="700").stdout.strip() == "True"


OPTIONS = "settings.DATABASES['default']['OPTIONS']['options'].split()[3]"


@pytest.mark.once
@pytest.mark.parametrize(
    ("expression", "given", "bound"),
    [
        (OPTIONS, {}, 0),
        (OPTIONS, {"STATEMENT_TIMEOUT_MS": "700"}, 0),
        (f"__import__('commerce.wsgi') and {OPTIONS}", {}, 15_000),
        (f"__import__('commerce.wsgi') and {OPTIONS}", {"STATEMENT_TIMEOUT_MS": "700"}, 700),
        (f"__import__('commerce.wsgi') and {OPTIONS}", {"STATEMENT_TIMEOUT_MS": "0"}, 0),
    ],
)
def test_statements_of_the_web_server_are_bounded_and_those_of_commands_are_not(
    expression: str, given: dict[str, str], bound: int
) -> None:
    answer = reported(expression, COMMERCE_ENV="development", DATABASE_URL="postgresql://shop@db/shop", **given)
    assert answer.stdout.strip() == f"statement_timeout={bound}", answer.stderr


@pytest.mark.once
def test_commands_that_the_web_server_starts_have_no_bound() -> None:
    passed_on = "__import__('commerce.wsgi') and 'COMMERCE_ANSWERS_REQUESTS' in __import__('os').environ"
    assert reported(passed_on, COMMERCE_ENV="development").stdout.strip() == "False"


@pytest.mark.once
@pytest.mark.parametrize(("given", "seconds"), [({}, "2.0"), ({"REQUEST_DATABASE_TIME_MS": "700"}, "0.7")])
def test_a_request_may_keep_the_database_for_two_seconds_unless_it_is_set(given: dict[str, str], seconds: str) -> None:
    assert reported("settings.REQUEST_DATABASE_TIME", COMMERCE_ENV="development", **given).stdout.strip() == seconds


@pytest.mark.once
@pytest.mark.parametrize(
    ("named", "page"),
    [
        ({}, "/{country_code}/account"),
        ({"ORDER_PAGE": "/orders/{order_id}"}, "/orders/{order_id}"),
        ({"ORDER_PAGE": "/orders/{order_id}", "ACCOUNT_ORDER_PAGE": "/me"}, "/me"),
    ],
)
def test_customers_have_the_page_of_orders_that_the_shop_has_named(named: dict[str, str], page: str) -> None:
    assert reported("settings.ACCOUNT_ORDER_PAGE", **STRONG, **named).stdout.strip() == page
