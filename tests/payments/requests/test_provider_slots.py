"""A provider that does not answer holds few of a web process's threads."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from threading import Event
from typing import Any

import pytest

from payments.requests import provider_slots
from payments.requests.provider_slots import slot_of
from shop.errors import ProviderUnavailable

SLOW, QUICK = "pp_slow_slow", "pp_quick_quick"


@pytest.fixture
def hanging(settings: Any) -> Iterator[ExitStack]:
    """Two calls of the slow provider, which are all there may be."""
    settings.PAYMENT_LINES = 2
    with ExitStack() as calls:
        for _ in range(2):
            calls.enter_context(slot_of(SLOW))
        yield calls


def test_behind_calls_that_take_long_nobody_waits(hanging: ExitStack, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(provider_slots, "QUICK_SECONDS", 0.0)
    with pytest.raises(ProviderUnavailable), slot_of(SLOW):
        pass


def test_another_provider_has_lines_of_its_own(hanging: ExitStack) -> None:
    with slot_of(QUICK), slot_of(QUICK):
        pass


def test_a_call_that_ends_or_fails_leaves_its_line_to_waiting_callers(
    hanging: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(provider_slots, "QUICK_SECONDS", 60.0)
    is_waiting, wait_for = Event(), provider_slots._changed.wait_for

    def tell_and_wait(*given: Any, **named: Any) -> bool:
        is_waiting.set()
        return wait_for(*given, **named)

    def call() -> str:
        with slot_of(SLOW):
            return "answered"

    monkeypatch.setattr(provider_slots._changed, "wait_for", tell_and_wait)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(call)
        assert is_waiting.wait(60)
        assert not waiting.done()
        hanging.close()
        assert waiting.result(60) == "answered"
    with pytest.raises(RuntimeError), slot_of(SLOW):
        raise RuntimeError
    assert provider_slots._busy[SLOW] == []
