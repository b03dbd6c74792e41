"""The commands of the operators' guide make a server that answers behind a proxy that terminates TLS."""

import socket
import subprocess
import sys
from http.client import HTTPConnection
from pathlib import Path

import pytest
from django.core.checks import run_checks

from tests.docs.pages import OPERATORS, examples
from tests.factories.apikeys import publishable_key
from tests.operations.server.test_serve import serving

BEHIND_THE_PROXY = {"Host": "shop.example", "X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.7"}


@pytest.fixture
def port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture
def recipe(tmp_path: Path) -> dict[str, str]:
    """The environment that the recipe's .env makes, written by its own shell lines."""
    (commands,) = examples(OPERATORS / "install.md", "sh")
    text = commands[: commands.index("\nEOF\n") + len("\nEOF\n")]
    programs = tmp_path / ".venv" / "bin"
    programs.mkdir(parents=True)
    (programs / "python").symlink_to(sys.executable)
    subprocess.run(["/bin/sh", "-e"], input=text, text=True, cwd=tmp_path, check=True, timeout=60)
    written = tmp_path / ".env"
    assert written.stat().st_mode & 0o777 == 0o600
    return dict(line.split("=", 1) for line in written.read_text().splitlines())


def answer(port: int, path: str, headers: dict[str, str]) -> tuple[int, str | None]:
    web = HTTPConnection("127.0.0.1", port, timeout=10)
    web.request("GET", path, headers=headers)
    got = web.getresponse()
    web.close()
    return got.status, got.getheader("Location")


@pytest.mark.once
@pytest.mark.django_db(transaction=True)
def test_the_production_recipe_serves_behind_a_proxy(
    recipe: dict[str, str], process_environment: dict[str, str], port: int
) -> None:
    key = {"x-publishable-api-key": publishable_key().token}
    production = {**process_environment, **recipe, "DATABASE_URL": process_environment["DATABASE_URL"]}
    del production["COMMERCE_ENV"]
    with serving(port, production):
        assert answer(port, "/health/live", BEHIND_THE_PROXY) == (200, None)
        assert answer(port, "/store/product-categories", {**BEHIND_THE_PROXY, **key}) == (200, None)
        assert answer(port, "/admin/login/", BEHIND_THE_PROXY) == (200, None)
        assert answer(port, "/static/demo/assam-mangalam-1.png", BEHIND_THE_PROXY) == (200, None)
        plain = {**BEHIND_THE_PROXY, **key, "X-Forwarded-Proto": "http"}
        assert answer(port, "/store/product-categories", plain) == (
            301,
            "https://shop.example/store/product-categories",
        )


@pytest.mark.parametrize(
    ("redirect", "proxies", "warnings"), [(True, 0, ["commerce.W001"]), (True, 1, []), (False, 0, [])]
)
def test_a_redirect_without_end_is_warned_of(settings, redirect: bool, proxies: int, warnings: list[str]) -> None:
    settings.SECURE_SSL_REDIRECT, settings.TRUSTED_PROXIES = redirect, proxies
    assert [found.id for found in run_checks() if found.id.startswith("commerce.")] == warnings
