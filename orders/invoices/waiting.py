"""Invoices that waited for the seller's data: a job writes one for each order, of what the order is worth then.

Each order is a transaction of its own, and one that no longer waits is left alone: a job that was killed continues, and
any number of jobs write each invoice once.
"""

from collections.abc import Mapping, Sequence
from functools import partial

from django.db import transaction
from django.db.models import QuerySet

from kit.domain.actor import Actor
from kit.jobs.creation import create
from kit.jobs.kinds import Piece
from kit.jobs.models import Job
from kit.jobs.states import UNFINISHED
from orders.common.locked_order import lock_order
from orders.invoices.following import follow_value
from orders.invoices.parties import require_seller
from orders.models import Order
from orders.models.orders import TO_INVOICE
from orders.states import InvoiceReason, Invoicing
from staff.actors import staff_actor
from staff.models import User

JOB_KIND = "write_waiting_invoices"


def waiting_orders() -> QuerySet[Order]:
    """The orders whose documents wait, the oldest first. A partial index finds them."""
    orders: QuerySet[Order] = Order.objects.filter(TO_INVOICE).order_by("created_at")
    return orders


@transaction.atomic
def start(*, actor: Actor) -> Job | None:
    """Start the job; the unfinished one if there is any, None if no order waits. Raises SellerIncomplete, Forbidden."""
    _require(actor)
    require_seller()
    running = Job.objects.filter(kind=JOB_KIND, status__in=UNFINISHED, actor=str(actor.id)).first()
    if running is not None:
        return running
    keys = list(waiting_orders().values_list("pk", flat=True))
    title = "Invoices that waited for the seller's data"
    return create(kind=JOB_KIND, title=title, actor_id=str(actor.id), keys=keys, parameters={}) if keys else None


def pieces(job: Job, keys: Sequence[str]) -> Mapping[str, Piece]:
    """The work on these orders. Raises Forbidden."""
    _require(staff_actor(User.objects.get(pk=job.actor_id)))
    return {order.pk: Piece(str(order), partial(_write, order.pk)) for order in Order.objects.filter(pk__in=keys)}


def _write(order_id: str) -> None:
    if lock_order(order_id).invoicing == Invoicing.WAITING:
        require_seller()
        follow_value(order_id, reason=InvoiceReason.SALE)


def _require(actor: Actor) -> None:
    """Who may change the seller may also have the invoices written that wait for it."""
    if not actor.may("shop.change_store"):
        actor.require("orders.add_invoice")
