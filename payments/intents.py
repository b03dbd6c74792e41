"""Noting what a provider shall be asked, in the transaction that wants it, and asking it behind that.

Whoever notes an intent for somebody who waits calls `carry_out` once the transaction is over; for everything else, and
whenever that does not happen, the background worker does. Source: behaviour.md 0.27.
"""

import time
from collections.abc import Mapping
from decimal import Decimal
from functools import partial
from typing import Any

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q
from django_tasks import task

from commerce.core.errors import Conflict
from commerce.core.locking import settle
from commerce.core.timestamps import now
from payments.errors import ProviderRefused, ProviderUnavailable
from payments.models import Intent, PaymentSession
from payments.providers.base import Charge, Declined, Provider, Standing
from payments.providers.known import provider
from payments.standings import lock_session, record
from payments.states import Act, Result, SessionStatus

log = structlog.get_logger(__name__)

WAIT_SECONDS = 2.0
"""How long somebody waits for what another is asking already."""
_LOOK_SECONDS = 0.05


def note(
    session: PaymentSession,
    act: Act,
    *,
    waits: bool,
    amount: Decimal | None = None,
    data: Mapping[str, Any] | None = None,
    remark: str | None = None,
    refund_reason_id: str | None = None,
    created_by: str | None = None,
    key_mark: str | None = None,
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
        key_mark=key_mark,
    )
    moment = now() + settings.PAYMENT_PATIENCE if waits else None
    take_up.using(run_after=moment).enqueue(intent_id=intent.pk)
    return intent


def carry_out(intent_id: str, *, is_pressing: bool = True) -> None:
    """Ask the provider, and record what it says. Must not be called inside a transaction (RuntimeError).

    What is done already is left as it is, so that this may be called again at any time.
    is_pressing: somebody waits for it, and does not spare a provider that failed a moment ago.
    Raises ProviderRefused, ProviderUnavailable (it is asked again later), and Conflict where somebody else still asks.
    """
    deadline = time.monotonic() + WAIT_SECONDS
    while not _claim(intent_id, is_pressing=is_pressing):
        intent = Intent.objects.get(pk=intent_id)
        if intent.done_at is not None:
            return _tell(intent)
        if time.monotonic() > deadline:
            raise Conflict
        time.sleep(_LOOK_SECONDS)
    _ask(Intent.objects.select_related("session__collection__cart").get(pk=intent_id))
    return None


@task()
def take_up(intent_id: str) -> None:
    """What is left undone of one intent."""
    _take_up(intent_id)


def take_up_all() -> list[str]:
    """What is left undone of all intents that nobody is busy with; returns their ids."""
    moment = now()
    due = Intent.objects.filter(_free(moment), done_at=None, created_at__lt=moment - settings.PAYMENT_PATIENCE)
    ids: list[str] = list(due.order_by("pk").values_list("pk", flat=True))
    for intent_id in ids:
        _take_up(intent_id)
    return ids


def _take_up(intent_id: str) -> None:
    try:
        settle(partial(carry_out, intent_id, is_pressing=False))
    except (ProviderRefused, ProviderUnavailable, Conflict):
        log.info("payment_intent_stands", intent=intent_id)  # it says itself why; take_up_all returns to open ones


def _claim(intent_id: str, *, is_pressing: bool) -> bool:
    """Whoever fails to get an answer leaves an error, and the intent to those that are in a hurry."""
    moment = now()
    earlier = Intent.objects.filter(session=OuterRef("session"), done_at=None, pk__lt=OuterRef("pk"))
    free = _free(moment) | ~Q(error="") if is_pressing else _free(moment)
    found = Intent.objects.filter(~Exists(earlier), free, pk=intent_id, done_at=None)
    claimed_until = moment + settings.PAYMENT_PATIENCE
    return bool(found.update(claimed_until=claimed_until, attempts=F("attempts") + 1, error=""))


def _free(moment: Any) -> Q:
    return Q(claimed_until=None) | Q(claimed_until__lt=moment)


def _ask(intent: Intent) -> None:
    session = intent.session
    try:
        standing = _call(provider(session.provider_id), intent, _charge(intent))
    except Declined as refusal:
        _refused(intent, str(refusal) or "It gave no reason")
        raise ProviderRefused(str(refusal)) from refusal
    except Exception as failure:
        log.exception("payment_provider_failed", provider=session.provider_id, intent=intent.pk, act=intent.act)
        wait = settings.PAYMENT_PATIENCE * min(2**intent.attempts, 64)
        still_ours = Intent.objects.filter(pk=intent.pk, done_at=None, attempts=intent.attempts)
        still_ours.update(claimed_until=now() + wait, error=f"{type(failure).__name__}: {failure}"[:1000])
        raise ProviderUnavailable(session.provider_id) from failure
    _done(intent, standing)


def _call(asked: Provider, intent: Intent, charge: Charge) -> Standing:
    match Act(intent.act):
        case Act.START:
            return asked.start(charge, key=intent.pk)
        case Act.AUTHORIZE:
            return asked.authorize(charge, key=intent.pk)
        case Act.CAPTURE:
            return asked.capture(charge, intent.amount, key=intent.pk)
        case Act.REFUND:
            return asked.refund(charge, intent.amount, key=intent.pk)
        case Act.CANCEL:
            return asked.cancel(charge, key=intent.pk)


def _charge(intent: Intent) -> Charge:
    session = intent.session
    return Charge(
        session.pk,
        session.amount,
        session.currency_id,
        session.collection.cart_id,
        session.context.get("customer", {}).get("id"),
        session.data,
        intent.data,
    )


@transaction.atomic(durable=True)
def _done(intent: Intent, standing: Standing) -> None:
    session = lock_session(intent.session_id)
    if _finish(intent, Result.DONE):
        record(session, standing, intent=intent)


@transaction.atomic(durable=True)
def _refused(intent: Intent, reason: str) -> None:
    session = lock_session(intent.session_id)
    if not _finish(intent, Result.REFUSED, reason):
        return
    if intent.act in (Act.START, Act.AUTHORIZE):
        record(session, Standing(SessionStatus.ERROR, session.data))
    else:
        log.error("payment_provider_refused", provider=session.provider_id, intent=intent.pk, act=intent.act)


def _finish(intent: Intent, result: Result, error: str = "") -> bool:
    """Whether nobody else did; whoever asks has locked the collection."""
    still_open = Intent.objects.filter(pk=intent.pk, done_at=None)
    return bool(still_open.update(done_at=now(), result=result, error=error[:1000]))


def _tell(intent: Intent) -> None:
    if intent.result == Result.REFUSED:
        raise ProviderRefused(intent.error)
