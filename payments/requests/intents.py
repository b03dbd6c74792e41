"""Recording requests to payment providers inside a transaction, and sending them after it.

A verb records an intent and, if its caller waits for the result, calls `carry_out` once the transaction is committed.
The background worker carries out all others, and those whose process died before it did.
Why: docs/decisions/payments.md#providers-are-called-between-two-transactions.
"""

import time
from collections.abc import Iterable
from contextlib import suppress
from functools import partial
from typing import Unpack

import structlog
from django.db import transaction
from django_tasks import task

from kit.database.locking import retry_on_conflict
from kit.errors import Conflict
from kit.jobs.queues import SLOW, URGENT
from kit.jobs.stored_paths import stored_in
from kit.values.money import major
from kit.values.timestamps import now
from payments.collections.collection_rows import SessionRow, new_session
from payments.collections.locked_collection import LockedCollection, lock_session
from payments.collections.order_steps import PAYMENT_STEPS
from payments.collections.totals import add_up
from payments.collections.unclaimed_money import take_excess
from payments.errors import PaymentProviderRefused
from payments.models import Intent, Refund
from payments.providers.base import Declined, ProviderReport
from payments.providers.registry import can_update, is_local
from payments.requests.claims import back_off, claim, earlier_open_ids, finish, is_claimable, is_running, renewed
from payments.requests.due_requests import due_ids, due_ids_without_task
from payments.requests.intent_rows import IntentColumns, insert_intent
from payments.requests.local_requests import NO_REASON, cancel_locally, restart_locally
from payments.requests.offered_providers import offered_to
from payments.requests.provider_reports import Request, record
from payments.requests.provider_requests import send
from payments.requests.session_amounts import beginning_of, changed_unsent, fits, may_follow, take_amount
from payments.requests.session_limit import may_start
from payments.requests.slow_providers import line
from payments.states import SESSIONS, Act, Result, SessionStatus
from shop.errors import ProviderUnavailable

log = structlog.get_logger(__name__)

WAIT_SECONDS = 2.0
"""How long a caller waits for a request that another process is already sending."""
_POLL_SECONDS = 0.05
OVERPAID = "More was captured than the order's total"


def record_intent(session_id: str, act: Act, *, runs_now: bool, **columns: Unpack[IntentColumns]) -> str:
    """Add an intent to a session of a locked collection; returns its id.

    runs_now: whether the caller carries it out itself. If its process dies, `resume_all` finds the open intent.
    """
    intent_id = insert_intent(session_id, act, **columns)
    if not runs_now:
        resume.enqueue(intent_id=intent_id)
    return intent_id


def cancel_session(collection: LockedCollection, session: SessionRow) -> None:
    """Cancel a session and soft-delete it. A local provider is informed immediately, others in the background."""
    SESSIONS.check(before=SessionStatus(session.status), after=SessionStatus.CANCELED)
    if is_local(session.provider_id) and cancel_locally(collection.row, session):
        return
    session.status, session.deleted_at = SessionStatus.CANCELED.value, now()
    record_intent(session.id, Act.CANCEL, runs_now=False)


def owe_refunds(taken: Iterable[tuple[SessionRow, int]], reason: str, **columns: Unpack[IntentColumns]) -> bool:
    """Record the refunds of money that no order takes; returns whether there are any.

    See payments/collections/unclaimed_money.py.
    """
    owed: IntentColumns = {**columns, "note": reason, "is_owed": True}
    ids = [
        record_intent(session.id, Act.REFUND, runs_now=False, **(owed | {"amount": major(units)}))
        for session, units in taken
    ]
    return bool(ids)


def adjust(collection: LockedCollection) -> None:
    """Bring sessions to the amount due or cancel them, unless an attempt counts on them.

    The session of an order stays once it holds money: a capture takes what is due, and the rest is released. Money
    beyond the order's total is refunded. Why: docs/decisions/payments.md#an-orders-session-stays-when-amounts-differ,
    docs/decisions/payments.md#an-open-session-follows-the-amount.
    """
    row = collection.row
    add_up(row, collection.sessions)
    if row.order_id is not None:
        owe_refunds(take_excess(collection), OVERPAID)
    if not collection.follows_amount:
        return
    for session in list(collection.sessions):
        if session.is_cancelable and not fits(row, session):
            _follow(collection, session)


def _follow(collection: LockedCollection, session: SessionRow, *, may_update: bool = True) -> None:
    """Bring the session to the amount due: by its provider, or by another start. Else cancel it."""
    row, due = collection.row, major(collection.row.amount_due)
    if not may_follow(row, session) or session.provider_id not in offered_to(row.cart_id, row.order_id):
        cancel_session(collection, session)
    elif not (may_update and can_update(session.provider_id)):
        _start_anew(collection, session)
    elif not changed_unsent(session, due):
        session.update_id = record_intent(session.id, Act.UPDATE, runs_now=False, amount=due)


def _start_anew(collection: LockedCollection, session: SessionRow) -> None:
    """Start the session again if its provider is local, else another one in its place.

    Reports of the former payment may come late, so that another payment outside needs a session of its own.
    """
    row = collection.row
    sent, is_asked = beginning_of(session.id)
    if is_local(session.provider_id) and not is_asked:
        session.amount = row.amount_due
        restart_locally(row, session, sent=sent)
        return
    cancel_session(collection, session)
    if may_start(row.id):
        successor = new_session(row, session.provider_id, context=session.context)
        collection.sessions.append(successor)
        record_intent(successor.id, Act.START, runs_now=False, data=sent)


def carry_out(intent_id: str, claimed: Intent | None = None, *, is_waiting: bool = True) -> None:
    """Send the intent to its provider and record the report. Not inside a transaction (RuntimeError).

    A completed intent is left as it is, so that this can be repeated at any time.
    claimed: the intent, if the caller has claimed it already.
    is_waiting: whether a caller waits for the result. If so, back-off is ignored, and earlier open intents of the
        session are carried out first.
    Raises PaymentProviderRefused, ProviderUnavailable (the intent is retried), and Conflict while another process sends
    it.
    """
    intent = claimed or claim(intent_id, is_waiting=is_waiting)
    if intent is None and is_waiting:
        for earlier_id in earlier_open_ids(intent_id):
            with suppress(PaymentProviderRefused):
                _carry_out(earlier_id, is_waiting=True)
    _carry_out(intent_id, intent, is_waiting=is_waiting)


@task(queue_name=URGENT)
@stored_in("payments.intents")
def resume(intent_id: str) -> None:
    """Carry out an intent that is still open. That of a slow provider moves to a queue of its own."""
    provider_id = Intent.objects.values_list("session__provider_id", flat=True).get(pk=intent_id)
    with line(provider_id) as is_free:
        if is_free:
            _resume(intent_id)
        else:
            resume_slowly.using(run_after=now()).enqueue(intent_id=intent_id)


@task(queue_name=SLOW)
@stored_in("payments.intents")
def resume_slowly(intent_id: str) -> None:
    """Carry out an intent of a slow provider."""
    _resume(intent_id)


def resume_all() -> list[str]:
    """Carry out all open intents that are due; returns their ids. A failure does not stop the others."""
    ids = due_ids()
    for intent_id in ids:
        try:
            _resume(intent_id)
        except Exception:
            log.exception("payment_intent_failed", intent=intent_id)
    return ids


def queue_due() -> list[str]:
    """Have the background worker carry them out, where a provider that hangs delays no other; returns their ids.

    The tasks wait in the table, where they are found if the worker takes long.
    """
    ids = due_ids_without_task((resume.module_path, resume_slowly.module_path))
    for intent_id in ids:
        resume.using(run_after=now()).enqueue(intent_id=intent_id)
    return ids


def _resume(intent_id: str) -> None:
    try:
        carry_out(intent_id, is_waiting=False)
    except (PaymentProviderRefused, ProviderUnavailable, Conflict):
        log.info("payment_intent_stands", intent=intent_id)  # the intent holds the error; resume_all retries open ones


def _carry_out(intent_id: str, claimed: Intent | None = None, *, is_waiting: bool) -> None:
    """claimed: the intent, if the caller has claimed it."""
    deadline = time.monotonic() + WAIT_SECONDS
    while (intent := claimed or _claimed(intent_id, is_waiting=is_waiting)) is None:
        awaited = Intent.objects.get(pk=intent_id)
        if awaited.done_at is not None:
            return _raise_refusal(awaited)
        if not is_waiting or time.monotonic() > deadline or is_running(awaited, longer_than=WAIT_SECONDS):
            raise Conflict
        time.sleep(_POLL_SECONDS)
    with renewed(intent):
        _request(intent, is_waiting=is_waiting)
    return None


def _claimed(intent_id: str, *, is_waiting: bool) -> Intent | None:
    """As `claim`, for callers who ask again and again."""
    return claim(intent_id, is_waiting=is_waiting) if is_claimable(intent_id, is_waiting=is_waiting) else None


def _request(intent: Intent, *, is_waiting: bool) -> None:
    provider_id, leave = intent.session.provider_id, partial(back_off, intent, is_waiting=is_waiting)
    try:
        report = send(intent)
    except Declined as refusal:
        reason = str(refusal) or NO_REASON
        if intent.is_owed or _is_cancellation(intent):  # the money is still held: retry until it is released
            if intent.is_owed and retry_on_conflict(partial(_is_returned, intent)):
                return
            leave(reason)
        else:
            retry_on_conflict(partial(_refused, intent, reason, is_waiting=is_waiting))
        raise PaymentProviderRefused(reason) from refusal
    except Exception as failure:
        log.exception("payment_provider_failed", provider=provider_id, intent=intent.pk, act=intent.act)
        leave(f"{type(failure).__name__}: {failure}")
        raise ProviderUnavailable(f"payment provider {provider_id}", is_retried=True) from failure
    try:
        retry_on_conflict(partial(_done, intent, report, is_waiting=is_waiting))
    except Exception as failure:
        leave(f"The response could not be stored: {type(failure).__name__}: {failure}")
        raise


def _is_cancellation(intent: Intent) -> bool:
    """Whether the session is to be canceled, not only the rest of it released (payments/lifecycle/release.py)."""
    return bool(intent.act == Act.CANCEL and intent.session.status == SessionStatus.CANCELED)


@transaction.atomic(durable=True)
def _done(intent: Intent, report: ProviderReport, *, is_waiting: bool) -> None:
    collection, session = lock_session(intent.session_id)
    if not finish(intent.pk, Result.DONE):
        return
    was_settled, is_update = session.is_settled, intent.act == Act.UPDATE
    if is_update:
        take_amount(session, intent, report)
    if record(collection.row, session, report, request=Request(intent.pk, Act(intent.act))) or is_update:
        adjust(collection)
    collection.write()
    if not is_waiting:
        announce_settled(collection, session, was_settled=was_settled)


@transaction.atomic(durable=True)
def _refused(intent: Intent, reason: str, *, is_waiting: bool) -> None:
    collection, session = lock_session(intent.session_id)
    intent.refresh_from_db(fields=["is_owed"])
    if intent.is_owed or not finish(intent.pk, Result.REFUSED, reason):  # owed since its order was canceled
        return
    if intent.act in (Act.START, Act.AUTHORIZE):
        record(collection.row, session, ProviderReport(SessionStatus.ERROR, session.data))
        collection.write()
        if collection.is_closed and intent.act == Act.AUTHORIZE and not is_waiting:
            PAYMENT_STEPS.get().settled(str(collection.row.cart_id))
    elif intent.act == Act.UPDATE:
        _update_refused(collection, session, intent)
    else:
        log.error("payment_provider_refused", provider=session.provider_id, intent=intent.pk, act=intent.act)


def _update_refused(collection: LockedCollection, session: SessionRow, intent: Intent) -> None:
    """Another payment takes the place of the one whose amount cannot be changed, unless a later change is open."""
    if session.update_id == intent.pk:
        session.update_id = None
    row = collection.row
    is_free = collection.follows_amount and session.is_cancelable
    if is_free and session.update_id is None and not fits(row, session):
        _follow(collection, session, may_update=False)
    collection.write()


@transaction.atomic(durable=True)
def _is_returned(intent: Intent) -> bool:
    """Whether the money of an owed refund went back on another way, such as the provider's own screens."""
    _, session = lock_session(intent.session_id)
    payment = session.payment
    is_empty = payment is not None and payment.refunded_amount >= payment.captured_amount
    if is_empty or Refund.objects.filter(intent=intent).exists():
        finish(intent.pk, Result.DONE)
        return True
    return False


def announce_settled(collection: LockedCollection, session: SessionRow, *, was_settled: bool) -> None:
    """Let orders complete a cart whose session was settled while no request waited for it."""
    if session.is_settled and not was_settled and collection.row.order_id is None:
        PAYMENT_STEPS.get().settled(str(collection.row.cart_id))


def _raise_refusal(intent: Intent) -> None:
    if intent.result == Result.REFUSED:
        raise PaymentProviderRefused(intent.error)
