"""The system's provider, as a test has it answer."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection

from payments.providers.base import Declined, ProviderReport
from payments.providers.system import SystemProvider


class Script:
    """What the system's provider does while a test has its hands on it. `calls`: what it was asked, with the key.

    `failure` is raised in the place of an answer; `meanwhile` is called before it answers.
    """

    def __init__(self) -> None:
        self.calls: list[tuple[str, str, Decimal | None]] = []
        self.failure: Exception | None = None
        self.meanwhile: Callable[[], None] = lambda: None

    def declines(self, reason: str) -> None:
        self.failure = Declined(reason)

    def is_silent(self) -> None:
        self.failure = TimeoutError("no answer")

    def is_well(self) -> None:
        self.failure = None

    @property
    def asked(self) -> list[str]:
        return [act for act, _, _ in self.calls]


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch) -> Script:
    """The system's provider as one outside of the process, which notes what it is asked."""
    script = Script()
    monkeypatch.setattr(SystemProvider, "is_local", False)
    for act in ("start", "authorize", "capture", "refund", "cancel"):
        monkeypatch.setattr(SystemProvider, act, _scripted(script, act, getattr(SystemProvider, act)))
    return script


def _scripted(script: Script, act: str, agree: Callable[..., ProviderReport]) -> Callable[..., ProviderReport]:
    def answer(self: SystemProvider, charge: Any, *amount: Decimal, key: str) -> ProviderReport:
        assert not any(not block._from_testcase for block in connection.atomic_blocks), "asked within a transaction"
        script.calls.append((act, key, *(amount or (None,))))
        script.meanwhile()
        if script.failure is not None:
            raise script.failure
        return agree(self, charge, *amount, key=key)

    return answer
