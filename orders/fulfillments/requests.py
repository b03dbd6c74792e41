"""Recording requests to fulfillment providers, in the transaction that causes them.

Callers hold the order's lock. A worker sends them after the commit (orders/fulfillments/sending.py).
Why: docs/decisions/fulfillments.md#carriers-are-asked-after-the-commit.
"""

from django_tasks import task

from fulfillment.providers.registry import books_parcels
from kit.jobs.queues import CARRIERS
from kit.values.timestamps import now
from orders.fulfillments import sending
from orders.models import CarrierRequest, Fulfillment
from orders.states import CarrierAct, CarrierResult


@task(queue_name=CARRIERS)
def send(request_id: str) -> None:
    """Send a request that is still open. A failure stays with the request; `resume_fulfillments` sends it again."""
    sending.send_request(request_id)


def request_booking(fulfillment_id: str, provider_id: str | None) -> None:
    """Request the booking of a new fulfillment's parcels, if its provider books parcels."""
    if books_parcels(provider_id):
        _record(CarrierRequest(fulfillment_id=fulfillment_id, act=CarrierAct.CREATE))


def request_cancellation(fulfillment: Fulfillment) -> None:
    """Request the cancellation of a booking, unless there is none or the provider has refused it.

    A booking request that is still open is withdrawn. If it is being sent, the cancellation waits for it to end.
    """
    booking = CarrierRequest.objects.filter(fulfillment=fulfillment, act=CarrierAct.CREATE).first()
    if booking is None or booking.result == CarrierResult.REFUSED:
        return
    still_open = sending.REQUESTS.rows().filter(pk=booking.pk)
    withdrawn = {"done_at": now(), "result": CarrierResult.WITHDRAWN}
    if still_open.filter(attempts=0).update(**withdrawn):
        return
    is_being_sent = bool(still_open.update(**withdrawn))
    booking.refresh_from_db()
    waits = {"claimed_until": booking.claimed_until, "claimed_by": booking.claimed_by} if is_being_sent else {}
    _record(CarrierRequest(fulfillment=fulfillment, act=CarrierAct.CANCEL, **waits))


def _record(request: CarrierRequest) -> None:
    request.save(force_insert=True)
    send.enqueue(request_id=request.pk)
