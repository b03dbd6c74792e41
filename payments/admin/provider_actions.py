"""Having providers do what staff ask for, with its history.

All of it outside any transaction: the verbs open their own, and call the provider between them.
"""

from collections.abc import Callable
from functools import partial

import structlog
from django.contrib import messages
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.http import HttpRequest

from commerce.kit.admin.amounts import shown
from commerce.kit.admin.base_admin import BaseAdmin
from commerce.kit.admin.request_actor import request_actor
from commerce.kit.core.errors import Conflict, DomainError
from commerce.kit.core.locking import Row, lock_named, retry_on_conflict
from commerce.shop.errors import ProviderUnavailable
from payments.admin.movement_forms import BUSY, MovementForm
from payments.errors import ProviderRefused
from payments.models import Intent, PaymentCollection, PaymentSession
from payments.states import Act, Result

log = structlog.get_logger(__name__)

_DONE = {Act.AUTHORIZE: "Asked to authorize", Act.CAPTURE: "Captured", Act.REFUND: "Refunded"}
_WANTED = {Act.AUTHORIZE: "Authorization", Act.CAPTURE: "Capture", Act.REFUND: "Refund"}


def move(admin: BaseAdmin[Row], request: HttpRequest, form: MovementForm, verb: Callable[..., None]) -> bool:
    """Call the verb for the valid form; whether it was done. What was refused, or waits, the form tells."""
    mark, refusal = form.mark(request_actor(request)), None
    try:
        verb(idempotency_digest=mark, **form.wanted)
    except DomainError as told:
        refusal = told
        form.tell(refusal)
    intent = (
        Intent.objects.select_related("session__collection", "refund_reason").filter(idempotency_digest=mark).first()
    )
    if intent is not None:
        _remember(request, intent)
    if refusal is None and intent is not None:
        admin.message_user(request, _said(intent), messages.SUCCESS)
    return refusal is None


def authorize(admin: BaseAdmin[Row], request: HttpRequest, session: PaymentSession, verb: Callable[[], None]) -> None:
    """Call the verb for the session, and tell the user what became of it."""
    try:
        verb()
        level = messages.SUCCESS
    except (ProviderRefused, ProviderUnavailable):
        level = messages.ERROR
    except DomainError as refusal:
        said = BUSY if isinstance(refusal, Conflict) else refusal.message
        admin.message_user(request, said, messages.ERROR)
        return
    asked = Intent.objects.select_related("session__collection").filter(session=session, act=Act.AUTHORIZE)
    intent = asked.latest("pk")
    _remember(request, intent)
    admin.message_user(request, _said(intent), level)


def _remember(request: HttpRequest, intent: Intent) -> None:
    """Where the database is too busy for the history, the intent still says who wants it."""
    try:
        retry_on_conflict(partial(_write_once, request, intent))
    except Conflict:
        log.exception("payment_history_not_written", intent=intent.pk, user=request.user.pk)


@transaction.atomic
def _write_once(request: HttpRequest, intent: Intent) -> None:
    """Into the collection's history, once however often the form is sent."""
    lock_named(f"history of {intent.pk}")
    collection = intent.session.collection
    kind = ContentType.objects.get_for_model(PaymentCollection)
    entries = LogEntry.objects.filter(content_type=kind, object_id=collection.pk, change_message__contains=intent.pk)
    if not entries.exists():
        said = f"{_said(intent)} ({intent.pk})"
        LogEntry.objects.log_actions(str(request.user.pk), [collection], CHANGE, said, single_object=True)


def _said(intent: Intent) -> str:
    session = intent.session
    worth = shown(session.amount if intent.amount is None else intent.amount, session.currency_id)
    why = "".join(f" ({reason})" for reason in [intent.refund_reason] if reason)
    if intent.result == Result.DONE:
        stands = f" The session is {session.get_status_display().lower()}." if intent.act == Act.AUTHORIZE else ""
        return f"{_DONE[Act(intent.act)]} {worth}{why}.{stands}"
    outcome = f"the provider refused: {intent.error}" if intent.result else "the provider has not answered yet."
    return f"{_WANTED[Act(intent.act)]} of {worth}{why}: {outcome}"
