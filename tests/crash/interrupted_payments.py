"""Processes that ask for payments and are killed on their way: what each asks for, and where it ends."""

import os
import signal
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from functools import partial
from multiprocessing import get_context
from multiprocessing.context import ForkServerProcess
from types import ModuleType
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.test import Client

from kit.domain.actor import SYSTEM
from kit.rest import idempotency
from kit.safety.idempotency import replay
from payments.lifecycle import cancellation
from payments.models import Intent
from payments.movements import capturing, movements, refunding
from payments.requests import intents
from payments.sessions import authorization
from payments.states import Act
from tests.bench.processes import PROC
from tests.crash.journal_provider import ASKED, DONE, JOURNAL, NAME, journal

PATIENCE = timedelta(seconds=0.15)
PROVIDER = "pp_system_default"
PROVIDERS = f"{PROVIDER}={NAME}"
CAPTURED, REFUNDED = Decimal(30), Decimal(20)
_LOOK_SECONDS = 0.02
_CONTEXT = get_context("forkserver")
_CONTEXT.set_forkserver_preload(["tests.crash.django_ready", __name__])


@dataclass(frozen=True, slots=True)
class Wish:
    """What somebody wants of a provider. subject: the id of the collection, session or payment that it is about.

    key: the Idempotency-Key, or what stands for it, if any. publishable: the storefront's key.
    """

    act: Act
    subject: str
    key: str | None
    publishable: str


def ask(wish: Wish) -> Any:
    """Have it done, as its caller does. Raises what the verbs raise; gives the answer of a storefront's."""
    match wish.act:
        case Act.START:
            path, body = f"/store/payment-collections/{wish.subject}/payment-sessions", {"provider_id": PROVIDER}
            headers = {"x-publishable-api-key": wish.publishable}
            if wish.key:
                headers["idempotency-key"] = wish.key
            return Client().post(path, body, content_type="application/json", headers=headers)
        case Act.AUTHORIZE:
            return authorization.authorize(actor=SYSTEM, session_id=wish.subject)
        case Act.CAPTURE:
            return capturing.capture(
                actor=SYSTEM, payment_id=wish.subject, amount=CAPTURED, idempotency_digest=wish.key
            )
        case Act.REFUND:
            return refunding.refund(actor=SYSTEM, payment_id=wish.subject, amount=REFUNDED, idempotency_digest=wish.key)
        case Act.CANCEL:
            cancellation.cancel(actor=SYSTEM, collection_id=wish.subject)
            (noted,) = Intent.objects.filter(session__collection_id=wish.subject, act=Act.CANCEL)
            return intents.resume.call(intent_id=noted.pk)


def killed_at(point: str, wish: Wish, environment: Mapping[str, str]) -> int | None:
    """The exit code of a process, in that environment, that was asking until it came to the point."""
    return exit_code(partial(_ask_until, point, wish), environment)


@contextmanager
def paused_at(point: str, wish: Wish, environment: Mapping[str, str]) -> Iterator[None]:
    """A process, in that environment, that came to the point and stands still; behind the block it goes on to its end.

    point: one of the provider's, ASKED or DONE.
    """
    journal().set_trap(point, by=signal.SIGSTOP)
    process = _started(partial(ask, wish), environment)
    assert process.pid is not None
    while _state(process.pid) != "T":
        assert process.is_alive()
        time.sleep(_LOOK_SECONDS)
    try:
        yield
    finally:
        os.kill(process.pid, signal.SIGCONT)
        process.join(timeout=60)
        assert process.exitcode == 0


def _state(pid: int) -> str:
    """As proc(5) has it: T is stopped. It follows the program's name in parentheses, which may contain spaces."""
    return (PROC / str(pid) / "stat").read_text().rpartition(") ")[2][0]


def command(name: str, environment: Mapping[str, str], **options: Any) -> int | None:
    """The exit code of the management command, run by a process of its own."""
    return exit_code(partial(call_command, name, **options), environment)


def exit_code(work: Callable[[], Any], environment: Mapping[str, str]) -> int | None:
    """Of a process that does the work; a negative signal's number if it was killed."""
    process = _started(work, environment)
    process.join(timeout=60)
    return process.exitcode


def _started(work: Callable[[], Any], environment: Mapping[str, str]) -> ForkServerProcess:
    process = _CONTEXT.Process(target=_work, args=(work, os.environ[JOURNAL], settings.PAYMENT_PATIENCE))
    before = dict(os.environ)
    os.environ.update(environment, PAYMENT_PROVIDERS=PROVIDERS)  # the first process leaves it to all others
    try:
        process.start()
    finally:
        os.environ.clear()
        os.environ.update(before)
    return process


def _work(work: Callable[[], Any], path: str, patience: timedelta) -> None:
    os.environ[JOURNAL] = path
    settings.PAYMENT_PATIENCE = patience
    work()


def _ask_until(point: str, wish: Wish) -> None:
    _TRAPS[point]()
    ask(wish)


def _die(*_: Any, **__: Any) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def before_it(module: ModuleType, name: str) -> None:
    """Have this process killed when it calls that function of the module."""
    setattr(module, name, _die)


def after_it(owner: Any, name: str) -> None:
    """Have this process killed when that function of the module, or that method of the object, returns."""
    work: Callable[..., Any] = getattr(owner, name)

    def work_and_die(*args: Any, **kwargs: Any) -> None:
        work(*args, **kwargs)
        _die()

    setattr(owner, name, work_and_die)


def _after_noting() -> None:
    after_it(intents, "insert_intent")
    after_it(movements, "insert_intent")


def _before_asking() -> None:
    """Captures and refunds are claimed as they are noted."""
    before_it(intents, "claim")
    before_it(intents, "_carry_out")


_TRAPS: Mapping[str, Callable[[], None]] = {
    "the intent is noted and not committed": _after_noting,
    "the intent is committed and nobody has it": _before_asking,
    "the provider is asked and has done nothing": lambda: journal().set_trap(ASKED),
    "the provider has done it and not answered": lambda: journal().set_trap(DONE),
    "the provider has answered": partial(before_it, intents, "_done"),
    "the outcome is recorded and not committed": partial(after_it, intents, "record"),
    "the outcome is committed": partial(after_it, intents, "_request"),
    "the answer is made and not committed": partial(before_it, replay, "seal"),
    "the answer is committed and not sent": partial(after_it, idempotency, "run_once"),
}
POINTS = tuple(_TRAPS)[:7]
"""Those on everybody's way, one after the other."""
POINTS_OF_REQUESTS = tuple(_TRAPS)
