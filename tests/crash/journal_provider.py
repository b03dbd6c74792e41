"""A payment provider outside of the shop: what it has done stands in a file of its own, whatever becomes of the shop.

It does what it is asked once per key, as every provider has to. settings.PAYMENT_PROVIDERS names it, the environment
variable JOURNAL the file.
"""

import fcntl
import os
import signal
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from decimal import Decimal
from pathlib import Path
from typing import Any

import orjson

from payments.providers.base import Charge, Declined, Provider, ProviderReport
from payments.states import Act, SessionStatus

JOURNAL = "PAYMENT_JOURNAL"
NAME = f"{__name__}.JournalProvider"
ASKED, DONE = "asked", "done"
"""The points in the middle of a call: nothing is done yet; all is done, and not answered yet."""


class Journal:
    """What the provider was asked, and what it has done: a line of JSON each, shared by all processes."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._trap = path.with_suffix(".trap")
        self._refusals = path.with_suffix(".refusals")

    def set_trap(self, point: str, *, by: signal.Signals = signal.SIGKILL) -> None:
        """Let only the next process that comes to the point be killed or stopped there."""
        self._trap.write_text(f"{by.name} {point}")

    def refuse_authorizations(self) -> None:
        """Let the provider decline all requests to authorize from now on."""
        self._refusals.touch()

    @property
    def is_refusing(self) -> bool:
        return self._refusals.exists()

    def spring_trap(self, point: str) -> None:
        """Send this process the trap's signal if this is its point."""
        with suppress(FileNotFoundError):
            name, _, wanted = self._trap.read_text().partition(" ")
            if wanted == point:
                self._trap.unlink()
                os.kill(os.getpid(), signal.Signals[name])

    def asked(self, session_id: str) -> Counter[Act]:
        """How often, by what."""
        return Counter(Act(line["act"]) for line in self.lines(ASKED) if line["session"] == session_id)

    def done(self, session_id: str) -> list[tuple[Act, Decimal | None]]:
        """What, in this order, and how much of it."""
        return [(Act(line["act"]), _amount(line)) for line in self.lines(DONE) if line["session"] == session_id]

    def lines(self, kind: str) -> list[dict[str, Any]]:
        """Those of the kind, ASKED or DONE."""
        whole = self.path.read_bytes() if self.path.exists() else b""
        return [line for line in map(orjson.loads, whole.splitlines()) if line["kind"] == kind]

    def write(self, kind: str, key: str, act: Act, charge: Charge, amount: Decimal | None) -> None:
        """One more line."""
        line = {"kind": kind, "key": key, "act": act, "session": charge.session_id, "of": str(charge.amount)}
        with self.path.open("ab") as file:
            file.write(orjson.dumps({**line, "amount": None if amount is None else str(amount)}) + b"\n")

    @contextmanager
    def held(self) -> Iterator[None]:
        """By one process and thread at a time; a killed process no longer holds it."""
        with self.path.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield


class JournalProvider(Provider):
    """Agrees to everything unless its journal refuses, and says what its journal says."""

    def start(self, charge: Charge, *, key: str) -> ProviderReport:
        return self._answer(Act.START, charge, None, key)

    def authorize(self, charge: Charge, *, key: str) -> ProviderReport:
        return self._answer(Act.AUTHORIZE, charge, None, key)

    def capture(self, charge: Charge, amount: Decimal, *, key: str) -> ProviderReport:
        return self._answer(Act.CAPTURE, charge, amount, key)

    def refund(self, charge: Charge, amount: Decimal, *, key: str) -> ProviderReport:
        return self._answer(Act.REFUND, charge, amount, key)

    def cancel(self, charge: Charge, *, key: str) -> ProviderReport:
        return self._answer(Act.CANCEL, charge, None, key)

    def update(self, charge: Charge, amount: Decimal, *, key: str) -> ProviderReport:
        return self._answer(Act.UPDATE, charge, amount, key)

    def reached(self, point: str) -> None:
        """A point in the middle of a call."""
        journal().spring_trap(point)

    def journal_of(self, charge: Charge) -> Journal:
        """Where it writes what it does with the charge."""
        return journal()

    def _answer(self, act: Act, charge: Charge, amount: Decimal | None, key: str) -> ProviderReport:
        kept = self.journal_of(charge)
        kept.write(ASKED, key, act, charge, amount)
        self.reached(ASKED)
        if act == Act.AUTHORIZE and kept.is_refusing:
            raise Declined("The card was refused")
        with kept.held():
            if all(line["key"] != key for line in kept.lines(DONE)):
                kept.write(DONE, key, act, charge, amount)
            report = _report(kept, charge, key)
        self.reached(DONE)
        return report


def journal() -> Journal:
    """The one that the environment names."""
    return Journal(Path(os.environ[JOURNAL]))


def _report(kept: Journal, charge: Charge, key: str) -> ProviderReport:
    """As it was when that was done."""
    lines = [line for line in kept.lines(DONE) if line["session"] == charge.session_id]
    until = next(number for number, line in enumerate(lines, start=1) if line["key"] == key)
    acts = {Act(line["act"]) for line in lines[:until]}
    captured, refunded = (_sum(lines[:until], act) for act in (Act.CAPTURE, Act.REFUND))
    status = SessionStatus.AUTHORIZED if Act.AUTHORIZE in acts else SessionStatus.PENDING
    of = _amount_of(lines[:until])
    if captured and captured >= of:
        status = SessionStatus.CAPTURED
    elif Act.CANCEL in acts:
        status = SessionStatus.CANCELED
    authorized = of if Act.AUTHORIZE in acts and status != SessionStatus.CANCELED else None
    return ProviderReport(status, {"done": until}, authorized=authorized, captured=captured, refunded=refunded)


def _amount_of(lines: list[dict[str, Any]]) -> Decimal:
    """What the payment is for: the last amount that it was given before it was authorized."""
    of = Decimal(lines[0]["of"])
    for line in lines:
        if line["act"] == Act.AUTHORIZE:
            break
        if line["act"] == Act.UPDATE:
            of = Decimal(line["amount"])
    return of


def _sum(lines: list[dict[str, Any]], act: Act) -> Decimal:
    return sum((_amount(line) or Decimal(0) for line in lines if line["act"] == act), Decimal(0))


def _amount(line: dict[str, Any]) -> Decimal | None:
    return None if line["amount"] is None else Decimal(line["amount"])
