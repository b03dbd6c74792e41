"""Noting what a provider shall be asked, in the transaction that wants it, and asking it behind that.

Whoever notes an intent for somebody who waits calls `carry_out` once the transaction is over; for everything else, and
whenever that does not happen, the background worker does. Source: behaviour.md 0.27.
"""

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from decimal import Decimal
from functools import partial
from typing import Any

import structlog
from django.conf import settings
from django.db import transaction
from django_tasks import task

from commerce.kit.core.errors import Conflict
from commerce.kit.core.locking import retry_on_conflict
from commerce.kit.core.timestamps import now
from commerce.shop.errors import ProviderUnavailable
from payments.asking import ask
from payments.claims import back_off, claim, finish, is_asked_for, is_free, open_before
from payments.errors import ProviderRefused
from payments.leases import renewed
from payments.models import Intent, PaymentCollection, PaymentSession
from payments.provider_reports import lock_session, record
from payments.providers.base import Declined, ProviderReport
from payments.session_cancellation import end_session, misfits
from payments.states import Act, Result, SessionStatus

log = structlog.get_logger(__name__)

WAIT_SECONDS = 2.0
"""How long somebody waits for what another is asking already."""
_LOOK_SECONDS = 0.05


def record_intent(
    session: PaymentSession,
    act: Act,
    *,
    waits: bool,
    amount: Decimal | None = None,
    data: Mapping[str, Any] | None = None,
    remark: str | None = None,
    refund_reason_id: str | None = None,
    created_by: str | None = None,
    idempotency_digest: str | None = None,
) -> Intent:
    """A new intent of a locked collection's session. waits: whether its maker carries it out at once."""
    intent: Intent = Intent.objects.create(
        session=session,
        act=act,
        amount=amount,
        data=dict(data or {}),
        note=remark,
        refund_reason_id=refund_reason_id,
        created_by=created_by,
        idempotency_digest=idempotency_digest,
    )
    moment = now() + settings.PAYMENT_PATIENCE if waits else None
    resume.using(run_after=moment).enqueue(intent_id=intent.pk)
    return intent


def cancel_session(session: PaymentSession) -> None:
    """Give up a locked collection's session, and have its provider told."""
    end_session(session)
    record_intent(session, Act.CANCEL, waits=False)


def cancel_misfits(collection: PaymentCollection) -> None:
    """Give up the locked collection's sessions that are for another amount or currency than is left to pay."""
    for session in misfits(collection):
        cancel_session(session)


def carry_out(intent_id: str, *, is_pressing: bool = True) -> None:
    """Ask the provider, and record what it says. Must not be called inside a transaction (RuntimeError).

    What is done already is left as it is, so that this may be called again at any time.
    is_pressing: somebody waits for it, and neither spares a provider that failed a moment ago, nor leaves what has to
        come before to the worker.
    Raises ProviderRefused, ProviderUnavailable (it is asked again later), and Conflict where somebody else still asks.
    """
    if is_pressing:
        for earlier_id in open_before(intent_id):
            with suppress(ProviderRefused):
                _carry_out(earlier_id, is_pressing=True)
    _carry_out(intent_id, is_pressing=is_pressing)


@task(priority=-10)
def resume(intent_id: str) -> None:
    """What is left undone of one intent. Other tasks go first: each takes as long as its provider."""
    _resume(intent_id)


def resume_all() -> list[str]:
    """What is left undone of all intents that nobody is busy with; returns their ids. One that fails stops no other."""
    moment = now()
    due = Intent.objects.filter(is_free(moment), done_at=None, created_at__lt=moment - settings.PAYMENT_PATIENCE)
    ids: list[str] = list(due.order_by("pk").values_list("pk", flat=True))
    for intent_id in ids:
        try:
            _resume(intent_id)
        except Exception:
            log.exception("payment_intent_failed", intent=intent_id)
    return ids


def _resume(intent_id: str) -> None:
    try:
        carry_out(intent_id, is_pressing=False)
    except (ProviderRefused, ProviderUnavailable, Conflict):
        log.info("payment_intent_stands", intent=intent_id)  # it says itself why; resume_all returns to open ones


def _carry_out(intent_id: str, *, is_pressing: bool) -> None:
    deadline = time.monotonic() + WAIT_SECONDS
    while (intent := claim(intent_id, is_pressing=is_pressing)) is None:
        awaited = Intent.objects.get(pk=intent_id)
        if awaited.done_at is not None:
            return _tell(awaited)
        if not is_pressing or time.monotonic() > deadline or is_asked_for(awaited, longer_than=WAIT_SECONDS):
            raise Conflict
        time.sleep(_LOOK_SECONDS)
    with renewed(intent):
        _ask(intent, partial(back_off, intent, is_pressing=is_pressing))
    return None


def _ask(intent: Intent, leave: Callable[[str], None]) -> None:
    provider_id = intent.session.provider_id
    try:
        report = ask(intent)
    except Declined as refusal:
        reason = str(refusal) or "It gave no reason"
        if intent.act == Act.CANCEL:  # the money is held on: it is asked again, until it is free or has come
            leave(reason)
        else:
            retry_on_conflict(partial(_refused, intent, reason))
        raise ProviderRefused(reason) from refusal
    except Exception as failure:
        log.exception("payment_provider_failed", provider=provider_id, intent=intent.pk, act=intent.act)
        leave(f"{type(failure).__name__}: {failure}")
        raise ProviderUnavailable(f"payment provider {provider_id}", is_retried=True) from failure
    try:
        retry_on_conflict(partial(_done, intent, report))
    except Exception as failure:
        leave(f"The answer could not be kept: {type(failure).__name__}: {failure}")
        raise


@transaction.atomic(durable=True)
def _done(intent: Intent, report: ProviderReport) -> None:
    session = lock_session(intent.session_id)
    if finish(intent, Result.DONE) and record(session, report, intent=intent):
        cancel_misfits(session.collection)


@transaction.atomic(durable=True)
def _refused(intent: Intent, reason: str) -> None:
    session = lock_session(intent.session_id)
    if not finish(intent, Result.REFUSED, reason):
        return
    if intent.act in (Act.START, Act.AUTHORIZE):
        record(session, ProviderReport(SessionStatus.ERROR, session.data))
    else:
        log.error("payment_provider_refused", provider=session.provider_id, intent=intent.pk, act=intent.act)


def _tell(intent: Intent) -> None:
    if intent.result == Result.REFUSED:
        raise ProviderRefused(intent.error)
