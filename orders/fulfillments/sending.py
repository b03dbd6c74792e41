"""Sending recorded requests to fulfillment providers, outside transactions, and recording their answers.

A request is claimed for settings.FULFILLMENT_PATIENCE; if its process dies, it is sent again after that, or as soon as
the process is started again, with the same key. No caller waits for the answer, so claims are not renewed (unlike in
payments/requests/leases.py).
"""

from datetime import timedelta
from functools import partial

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import F, Q

from fulfillment.providers.base import Booking, Declined
from fulfillment.providers.registry import provider
from kit.database.claims import claimant
from kit.database.locking import retry_on_conflict
from kit.observability.metering import provider_call
from kit.values.text import kept_error
from kit.values.timestamps import now
from orders.fulfillments.labels import NewLabel, checked_labels, write_labels
from orders.fulfillments.locked_lines import lock_fulfillment
from orders.fulfillments.provider_details import provider_details
from orders.fulfillments.reversal import cancel_locked
from orders.models import CarrierRequest
from orders.states import CarrierAct, CarrierResult

log = structlog.get_logger(__name__)

NO_CARRIER_REASON = "The provider gave no reason"
_GRACE = timedelta(seconds=5)
"""How long `resume_all` leaves a new request to the worker that its transaction has queued."""
_MAX_BACK_OFF = 16
"""Times settings.FULFILLMENT_PATIENCE."""


def resume_all() -> list[str]:
    """Send all open requests that are due; returns their ids. A failure does not stop the others."""
    moment = now()
    due = CarrierRequest.objects.filter(_is_free(), done_at=None, created_at__lt=moment - _GRACE)
    ids: list[str] = list(due.order_by("pk").values_list("pk", flat=True))
    for request_id in ids:
        try:
            send_request(request_id)
        except Exception:
            log.exception("carrier_request_failed", request=request_id)
    return ids


def send_request(request_id: str) -> None:
    """Send the request and record the answer. Not inside a transaction (RuntimeError).

    Does nothing if the request is done or another process is sending it. After a failure the request stays open, and
    is sent again later.
    """
    request = _claimed(request_id)
    if request is None:
        return
    try:
        booking, labels = _call_provider(request)
    except Declined as refusal:
        retry_on_conflict(partial(_refused, request, str(refusal) or NO_CARRIER_REASON))
    except Exception as failure:
        log.exception("carrier_failed", provider=request.fulfillment.provider_id, request=request.pk)
        _back_off(request, failure)
    else:
        retry_on_conflict(partial(_done, request, booking, labels))


def free_claims_of(name: str) -> None:
    """Let those requests be sent again that the killed process of this name was sending, and what waits for them."""
    CarrierRequest.objects.filter(claimed_by=name, done_at=None).update(claimed_until=None, claimed_by="")


def _claimed(request_id: str) -> CarrierRequest | None:
    with transaction.atomic(durable=True):
        free = CarrierRequest.objects.filter(_is_free(), pk=request_id, done_at=None)
        taken = {"claimed_until": now() + settings.FULFILLMENT_PATIENCE, "claimed_by": claimant()}
        if not free.update(attempts=F("attempts") + 1, error="", **taken):
            return None
        related = ("fulfillment__order", "fulfillment__delivery_address")
        request: CarrierRequest = CarrierRequest.objects.select_related(*related).get(pk=request_id)
        return request


def _is_free() -> Q:
    return Q(claimed_until=None) | Q(claimed_until__lt=now())


def _call_provider(request: CarrierRequest) -> tuple[Booking, list[NewLabel]]:
    fulfillment = request.fulfillment
    carrier, details = provider(str(fulfillment.provider_id)), provider_details(fulfillment)
    with provider_call(str(fulfillment.provider_id), request.act, declines=Declined):
        if request.act == CarrierAct.CANCEL:
            carrier.cancel(details, key=request.pk)
            return Booking(), []
        booking = carrier.create(details, key=request.pk)
    return booking, checked_labels(
        [NewLabel(each.tracking_number, each.tracking_url, each.label_url) for each in booking.labels]
    )


@transaction.atomic(durable=True)
def _done(request: CarrierRequest, booking: Booking, labels: list[NewLabel]) -> None:
    """What the provider knows the parcels by is kept even if the request was withdrawn: calling them off needs it."""
    opened = lock_fulfillment(request.fulfillment_id)
    is_finished = _finish(request, CarrierResult.DONE)
    if request.act == CarrierAct.CREATE:
        opened.change(data=booking.data)
        if is_finished:
            write_labels(opened.row, labels)


@transaction.atomic(durable=True)
def _refused(request: CarrierRequest, reason: str) -> None:
    """Cancel the refused fulfillment, unless staff have already shipped it."""
    opened = lock_fulfillment(request.fulfillment_id)
    if not _finish(request, CarrierResult.REFUSED, reason):
        return
    log.error("carrier_refused", provider=opened.row.provider_id, request=request.pk, act=request.act)
    if request.act == CarrierAct.CREATE and opened.is_packed:
        cancel_locked(opened, reason=kept_error(reason))


def _finish(request: CarrierRequest, result: CarrierResult, error: str = "") -> bool:
    """Record the outcome; False if another process already has, or the request was withdrawn."""
    still_open = CarrierRequest.objects.filter(pk=request.pk, done_at=None)
    return bool(still_open.update(done_at=now(), result=result, error=kept_error(error)))


def _back_off(request: CarrierRequest, failure: Exception) -> None:
    """Release with exponential back-off, unless another process has claimed the request since."""
    wait = settings.FULFILLMENT_PATIENCE * min(2**request.attempts, _MAX_BACK_OFF)
    still_ours = CarrierRequest.objects.filter(pk=request.pk, done_at=None, attempts=request.attempts)
    error = kept_error(f"{type(failure).__name__}: {failure}")
    still_ours.update(claimed_until=now() + wait, claimed_by="", error=error)
