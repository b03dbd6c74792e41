"""Recording requests to payment providers inside a transaction, and sending them after it.

A verb records an intent and, if its caller waits for the result, calls `carry_out` once the transaction is committed.
The background worker carries out all others, and those whose process died before it did. Source: behaviour.md 0.27.
"""

import time
from collections.abc import Callable
from contextlib import suppress
from decimal import Decimal
from functools import partial

import structlog
from django.conf import settings
from django.db import transaction
from django_tasks import task

from commerce.kit.core.errors import Conflict
from commerce.kit.core.json import JSONObject
from commerce.kit.core.locking import retry_on_conflict
from commerce.kit.core.timestamps import now
from commerce.shop.errors import ProviderUnavailable
from payments.claims import back_off, claim, earlier_open_intents, finish, is_free, is_running
from payments.errors import ProviderRefused
from payments.leases import renewed
from payments.models import Intent, PaymentCollection, PaymentSession
from payments.provider_reports import lock_session, record
from payments.provider_requests import send
from payments.providers.base import Declined, ProviderReport
from payments.session_cancellation import mark_canceled, mismatched_sessions
from payments.states import Act, Result, SessionStatus

log = structlog.get_logger(__name__)

WAIT_SECONDS = 2.0
"""How long a caller waits for a request that another process is already sending."""
_POLL_SECONDS = 0.05


def record_intent(
    session: PaymentSession,
    act: Act,
    *,
    runs_now: bool,
    amount: Decimal | None = None,
    data: JSONObject | None = None,
    note: str | None = None,
    refund_reason_id: str | None = None,
    created_by: str | None = None,
    idempotency_digest: str | None = None,
) -> Intent:
    """Add an intent to a session of a locked collection. runs_now: whether the caller carries it out itself."""
    intent: Intent = Intent.objects.create(
        session=session,
        act=act,
        amount=amount,
        data=data or {},
        note=note,
        refund_reason_id=refund_reason_id,
        created_by=created_by,
        idempotency_digest=idempotency_digest,
    )
    moment = now() + settings.PAYMENT_PATIENCE if runs_now else None
    resume.using(run_after=moment).enqueue(intent_id=intent.pk)
    return intent


def cancel_session(session: PaymentSession) -> None:
    """Cancel a session of a locked collection. The background worker informs the provider."""
    mark_canceled(session)
    record_intent(session, Act.CANCEL, runs_now=False)


def cancel_mismatched_sessions(collection: PaymentCollection) -> None:
    """Cancel the sessions of a locked collection whose amount or currency differs from the amount due."""
    for session in mismatched_sessions(collection):
        cancel_session(session)


def carry_out(intent_id: str, *, is_waiting: bool = True) -> None:
    """Send the intent to its provider and record the report. Not inside a transaction (RuntimeError).

    A completed intent is left as it is, so that this can be repeated at any time.
    is_waiting: whether a caller waits for the result. If so, back-off is ignored, and earlier open intents of the
        session are carried out first.
    Raises ProviderRefused, ProviderUnavailable (the intent is retried), and Conflict while another process sends it.
    """
    if is_waiting:
        for earlier_id in earlier_open_intents(intent_id):
            with suppress(ProviderRefused):
                _carry_out(earlier_id, is_waiting=True)
    _carry_out(intent_id, is_waiting=is_waiting)


@task(priority=-10)
def resume(intent_id: str) -> None:
    """Carry out an intent that is still open. Low priority: it takes as long as its provider."""
    _resume(intent_id)


def resume_all() -> list[str]:
    """Carry out all open intents that are due; returns their ids. A failure does not stop the others."""
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
        carry_out(intent_id, is_waiting=False)
    except (ProviderRefused, ProviderUnavailable, Conflict):
        log.info("payment_intent_stands", intent=intent_id)  # the intent holds the error; resume_all retries open ones


def _carry_out(intent_id: str, *, is_waiting: bool) -> None:
    deadline = time.monotonic() + WAIT_SECONDS
    while (intent := claim(intent_id, is_waiting=is_waiting)) is None:
        awaited = Intent.objects.get(pk=intent_id)
        if awaited.done_at is not None:
            return _raise_refusal(awaited)
        if not is_waiting or time.monotonic() > deadline or is_running(awaited, longer_than=WAIT_SECONDS):
            raise Conflict
        time.sleep(_POLL_SECONDS)
    with renewed(intent):
        _request(intent, partial(back_off, intent, is_waiting=is_waiting))
    return None


def _request(intent: Intent, leave: Callable[[str], None]) -> None:
    provider_id = intent.session.provider_id
    try:
        report = send(intent)
    except Declined as refusal:
        reason = str(refusal) or "No reason given"
        if intent.act == Act.CANCEL:  # the money is still authorized: retry until it is released or captured
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
        leave(f"The response could not be stored: {type(failure).__name__}: {failure}")
        raise


@transaction.atomic(durable=True)
def _done(intent: Intent, report: ProviderReport) -> None:
    session = lock_session(intent.session_id)
    if finish(intent, Result.DONE) and record(session, report, intent=intent):
        cancel_mismatched_sessions(session.collection)


@transaction.atomic(durable=True)
def _refused(intent: Intent, reason: str) -> None:
    session = lock_session(intent.session_id)
    if not finish(intent, Result.REFUSED, reason):
        return
    if intent.act in (Act.START, Act.AUTHORIZE):
        record(session, ProviderReport(SessionStatus.ERROR, session.data))
    else:
        log.error("payment_provider_refused", provider=session.provider_id, intent=intent.pk, act=intent.act)


def _raise_refusal(intent: Intent) -> None:
    if intent.result == Result.REFUSED:
        raise ProviderRefused(intent.error)
