"""Captures, refunds and authorizations by staff, with their history.

They run outside of transactions: the verbs open their own, and call the provider between them.
"""

from collections.abc import Callable
from functools import partial

import structlog
from django.contrib import messages
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.http import HttpRequest

from kit.admin.base_admin import BaseAdmin
from kit.admin.lists.amounts import shown
from kit.admin.request_actor import request_actor
from kit.database.locking import Row, lock_named, retry_on_conflict
from kit.errors import Conflict, DomainError
from payments.admin.movement_forms import BUSY, MovementForm
from payments.errors import PaymentProviderRefused
from payments.models import Intent, PaymentCollection, PaymentSession
from payments.states import Act, Result
from shop.errors import ProviderUnavailable

log = structlog.get_logger(__name__)

_DONE = {Act.AUTHORIZE: "Requested authorization of", Act.CAPTURE: "Captured", Act.REFUND: "Refunded"}
_WANTED = {Act.AUTHORIZE: "Authorization", Act.CAPTURE: "Capture", Act.REFUND: "Refund"}


def move(admin: BaseAdmin[Row], request: HttpRequest, form: MovementForm) -> bool:
    """Carry out the valid form; returns whether that succeeded. The form shows why not."""
    actor, refusal = request_actor(request), None
    digest = form.digest(actor)
    try:
        form.move(actor=actor, idempotency_digest=digest)
    except DomainError as error:
        refusal = error
        form.add_refusal(refusal)
    intents = Intent.objects.select_related("session__collection", "refund_reason")
    intent = intents.filter(idempotency_digest=digest).first()
    if intent is not None:
        _record_history(request, intent)
    if refusal is None and intent is not None:
        admin.message_user(request, _summary(intent), messages.SUCCESS)
    return refusal is None


def authorize(admin: BaseAdmin[Row], request: HttpRequest, session: PaymentSession, verb: Callable[[], None]) -> None:
    """Call the verb for the session, and show the user the result."""
    try:
        verb()
        level = messages.SUCCESS
    except (PaymentProviderRefused, ProviderUnavailable):
        level = messages.ERROR
    except DomainError as refusal:
        message = BUSY if isinstance(refusal, Conflict) else refusal.message
        admin.message_user(request, message, messages.ERROR)
        return
    intents = Intent.objects.select_related("session__collection").filter(session=session, act=Act.AUTHORIZE)
    intent = intents.latest("pk")
    _record_history(request, intent)
    admin.message_user(request, _summary(intent), level)


def _record_history(request: HttpRequest, intent: Intent) -> None:
    """If the database is too busy to write the history, the intent still names its author."""
    try:
        retry_on_conflict(partial(_write_once, request, intent))
    except Conflict:
        log.exception("payment_history_not_written", intent=intent.pk, user=request.user.pk)


@transaction.atomic
def _write_once(request: HttpRequest, intent: Intent) -> None:
    """Write the collection's history once, however often the form is submitted."""
    lock_named(f"history of {intent.pk}")
    collection = intent.session.collection
    kind = ContentType.objects.get_for_model(PaymentCollection)
    entries = LogEntry.objects.filter(content_type=kind, object_id=collection.pk, change_message__contains=intent.pk)
    if not entries.exists():
        message = f"{_summary(intent)} ({intent.pk})"
        LogEntry.objects.log_actions(str(request.user.pk), [collection], CHANGE, message, single_object=True)


def _summary(intent: Intent) -> str:
    session = intent.session
    worth = shown(session.amount if intent.amount is None else intent.amount, session.currency_id)
    reasons = "".join(f" ({reason})" for reason in [intent.refund_reason] if reason)
    if intent.result == Result.DONE:
        status = f" The session is {session.get_status_display().lower()}." if intent.act == Act.AUTHORIZE else ""
        return f"{_DONE[Act(intent.act)]} {worth}{reasons}.{status}"
    outcome = f"the provider refused: {intent.error}" if intent.result else "the provider has not responded yet."
    return f"{_WANTED[Act(intent.act)]} of {worth}{reasons}: {outcome}"
