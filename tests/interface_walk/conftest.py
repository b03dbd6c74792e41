"""The running server of the walk, in production, and the tables that it ends with."""

import secrets
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_django import Settings

from tests.concurrency.running_server import RunningServer, running_server
from tests.interface_walk.board import PRINTED
from tests.payments.providers import FAKE, FakeProvider, switched_on

for walk in ("field_walk", "parameter_walk", "input_walk", "answer_walk", "body_walk", "credential_walk", "sources"):
    pytest.register_assert_rewrite(f"tests.interface_walk.{walk}")


@pytest.fixture
def provider_id(settings: Settings, transactional_db: None) -> Iterator[str]:
    """A payment provider of the shop's own, which lets storefronts know something of a session."""
    with switched_on(settings):
        yield FAKE


@pytest.fixture
def server(process_environment: dict[str, str], tmp_path: Path) -> Iterator[RunningServer]:
    """The shop as production serves it behind its proxy. What storefronts do not see unless the shop says so, shows."""
    production = {
        **process_environment,
        "COMMERCE_ENV": "production",
        "ALLOWED_HOSTS": "shop.example",
        "TRUSTED_PROXIES": "1",
        "SECRET_KEY": secrets.token_urlsafe(48),
        "JWT_SECRET": secrets.token_urlsafe(48),
        "PAYMENT_PROVIDERS": f"{FAKE}={FakeProvider.__module__}.{FakeProvider.__qualname__}",
        "SHOW_PROVIDER_DATA": "true",
        "SHOW_WAREHOUSE_ADDRESSES": "true",
    }
    proxied = {"Host": "shop.example", "X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.7"}
    with running_server(production, log=tmp_path / "server.log", headers=proxied, workers=2) as running:
        yield running


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Show the walk's tables, wherever in the run it was."""
    reports = [report for reports in terminalreporter.stats.values() for report in reports]
    for report in reports:
        if getattr(report, "when", None) == "call":
            for tables in (value for name, value in report.user_properties if name == PRINTED):
                terminalreporter.section("the interface, walked")
                terminalreporter.write_line(tables)
