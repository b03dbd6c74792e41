"""The checks of Redis warn, and name the variable: the shop serves without it."""

from collections.abc import Iterator

import pytest
from django.core.checks import run_checks
from pytest_django import Settings

from kit.database.redis_client import circuit_breaker
from tests.operations.redis_server import redis_for

SWITCHES = ["THROTTLES_IN_REDIS", "SESSIONS_IN_REDIS", "TASKS_IN_REDIS"]
pytestmark = [pytest.mark.once, pytest.mark.django_db]


@pytest.fixture(autouse=True)
def new_connections() -> Iterator[None]:
    circuit_breaker.cache_clear()
    yield
    circuit_breaker.cache_clear()


def warnings() -> list[tuple[str, str, str | None]]:
    """Warnings do not end the start."""
    reports = run_checks(include_deployment_checks=True)
    found = [report for report in reports if report.id in ("commerce.W005", "commerce.W006")]
    assert not any(report.is_serious() for report in found)
    return [(str(report.id), report.msg, report.hint) for report in found]


def test_an_address_without_a_switch_holds_nothing(settings: Settings) -> None:
    assert warnings() == []
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    hint = "Set THROTTLES_IN_REDIS=True, SESSIONS_IN_REDIS=True or TASKS_IN_REDIS=True, or remove REDIS_URL."
    assert warnings() == [("commerce.W005", "REDIS_URL is set, but nothing uses Redis.", hint)]


@pytest.mark.parametrize("switch", SWITCHES)
def test_a_redis_that_does_not_answer_is_named_without_its_password(settings: Settings, switch: str) -> None:
    settings.REDIS_URL = "redis://:a-password@127.0.0.1:1/0"
    setattr(settings, switch, True)
    ((number, text, hint),) = warnings()
    assert (number, hint) == ("commerce.W006", "Correct REDIS_URL, or start Redis.")
    refused = "Error 111 connecting to 127.0.0.1:1. Connection refused."
    assert text == f"Redis does not answer, so the database is used: {refused}"


@pytest.mark.servers("redis-server")
@pytest.mark.parametrize("switch", SWITCHES)
def test_one_that_answers_needs_no_warning(settings: Settings, switch: str) -> None:
    with redis_for(settings, switch):
        assert warnings() == []
