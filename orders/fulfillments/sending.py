"""Sending recorded requests to fulfillment providers, outside transactions, and recording their answers.

A request is claimed for settings.FULFILLMENT_PATIENCE (kit/writes/leases.py). It is always sent with the same key. No
caller waits for the answer, so claims are not renewed (unlike in payments/requests/claims.py).
"""

from functools import partial

import structlog
from django.conf import settings
from django.db import transaction

from fulfillment.providers.base import Booking, Declined
from fulfillment.providers.registry import provider
from kit.database.locking import retry_on_conflict
from kit.observability.metering import provider_call
from kit.values.text import kept_error
from kit.writes.leases import Leased, back_off_end
from orders.fulfillments.labels import NewLabel, checked_labels, write_labels
from orders.fulfillments.locked_lines import lock_fulfillment
from orders.fulfillments.provider_details import provider_details
from orders.fulfillments.reversal import cancel_locked
from orders.models import CarrierRequest
from orders.states import CarrierAct, CarrierResult

log = structlog.get_logger(__name__)

NO_CARRIER_REASON = "The provider gave no reason"
REQUESTS = Leased(
    rows=lambda: CarrierRequest.objects.filter(done_at=None).select_related(
        "fulfillment__order", "fulfillment__delivery_address"
    ),
    lease=lambda: settings.FULFILLMENT_PATIENCE,
)


def resume_all() -> list[str]:
    """Send all open requests that are due; returns their ids. A failure does not stop the others."""
    ids = REQUESTS.due_ids()
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
    with transaction.atomic(durable=True):
        request = REQUESTS.claim(request_id, error="")
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
    is_finished = REQUESTS.finish(request.pk, CarrierResult.DONE)
    if request.act == CarrierAct.CREATE:
        opened.change(data=booking.data)
        if is_finished:
            write_labels(opened.row, labels)


@transaction.atomic(durable=True)
def _refused(request: CarrierRequest, reason: str) -> None:
    """Cancel the refused fulfillment, unless staff have already shipped it."""
    opened = lock_fulfillment(request.fulfillment_id)
    if not REQUESTS.finish(request.pk, CarrierResult.REFUSED, reason):
        return
    log.error("carrier_refused", provider=opened.row.provider_id, request=request.pk, act=request.act)
    if request.act == CarrierAct.CREATE and opened.is_packed:
        cancel_locked(opened, reason=kept_error(reason))


def _back_off(request: CarrierRequest, failure: Exception) -> None:
    end = back_off_end(settings.FULFILLMENT_PATIENCE, doublings=request.attempts)
    REQUESTS.release(request, error=f"{type(failure).__name__}: {failure}", claimed_until=end)
