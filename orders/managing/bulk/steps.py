"""What bulk work does to one order: it calls the verb that a single order's form calls, and tells what was done."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from kit.domain.actor import Actor
from kit.errors import DomainError
from kit.jobs.kinds import Outcome
from kit.safety.idempotency.replay import idempotency_digest
from kit.values.written_amounts import written
from orders.common.locked_order import lock_order
from orders.fulfillments import shipping
from orders.fulfillments.errors import AlreadyShipped
from orders.fulfillments.labels import NewLabel
from orders.managing import archiving, completion, history
from orders.managing.bulk.packing import pack_all
from orders.models import Order
from orders.states import OrderStatus
from payments.models import Intent, Payment
from payments.movements.capturing import capturable_amount, capture


class Task(NamedTuple):
    """One row of a job. fulfillment_id, labels: of a shipment. no_notification: whether the customer gets no email."""

    actor: Actor
    job_id: str
    order: Order
    fulfillment_id: str = ""
    labels: Sequence[NewLabel] = ()
    no_notification: bool = False


Step = Callable[[Task], Outcome]
"""Raises what its verb raises."""


def pack(task: Task) -> Outcome:
    """Pack all that can be packed, in as many parcels as that takes."""
    packed = pack_all(actor=task.actor, order_id=task.order.pk)
    return _done(task, packed) if packed else _skipped("Everything is packed already.")


def ship(task: Task) -> Outcome:
    """Ship the parcel with its tracking numbers."""
    try:
        shipping.ship(
            actor=task.actor,
            fulfillment_id=task.fulfillment_id,
            order_id=task.order.pk,
            labels=task.labels,
            no_notification=task.no_notification,
        )
    except AlreadyShipped:
        return _skipped("Shipped already.")
    return _done(task, ", ".join(["Shipped", *(label.tracking_number for label in task.labels)]) + ".")


def capture_all(task: Task) -> Outcome:
    """Capture what is due of each payment. Called outside of transactions. A refused payment does not stop the others.

    A payment that this job has begun to capture, before its process was killed, is captured to the end.
    Raises what the first refused payment raised, if none was captured.
    """
    amounts: list[str] = []
    refusals: list[DomainError] = []
    for payment in Payment.objects.not_deleted().filter(collection__order_id=task.order.pk).order_by("pk"):
        digest = idempotency_digest(actor=f"job:{task.job_id}", key=payment.pk)
        begun = Intent.objects.filter(idempotency_digest=digest)
        if begun.exists() or capturable_amount(payment):
            try:
                capture(actor=task.actor, payment_id=payment.pk, idempotency_digest=digest)
            except DomainError as refusal:
                refusals.append(refusal)
            else:
                amounts.append(written(begun.get().amount, payment.currency_id))
    if refusals and not amounts:
        raise refusals[0]
    if not amounts:
        return _skipped("Nothing is left to capture.")
    left = [f"Not captured: {refusal.message.rstrip('.')}." for refusal in refusals]
    return _done(task, " ".join([f"Captured {' and '.join(amounts)}.", *left]))


def complete(task: Task) -> Outcome:
    """Complete it, if nothing is pending."""
    if lock_order(task.order.pk).status == OrderStatus.COMPLETED:
        return _skipped("Completed already.")
    completion.complete(actor=task.actor, order_id=task.order.pk)
    return Outcome("Completed.")


def archive(task: Task) -> Outcome:
    """Archive it."""
    if lock_order(task.order.pk).status == OrderStatus.ARCHIVED:
        return _skipped("Archived already.")
    archiving.archive(actor=task.actor, order_id=task.order.pk)
    return Outcome("Archived.")


def _done(task: Task, text: str) -> Outcome:
    """With an entry in the order's history, where the verb itself adds none."""
    return Outcome(text, record=partial(history.record, task.order, text, actor=task.actor))


def _skipped(text: str) -> Outcome:
    return Outcome(text, is_skipped=True)
