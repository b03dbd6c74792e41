"""Packed orders, and jobs that work on many of them."""

from typing import Any

from kit.jobs.models import Job
from kit.values.ids import new_ulid
from orders.managing.bulk import job as bulk
from orders.models import Order
from staff.actors import staff_actor
from staff.models import User
from tests.factories.carts import sold_variant
from tests.factories.staff import UserFactory
from tests.kit.jobs.bulk_worker import run_bulk_worker
from tests.orders.fulfillments.shop import pack
from tests.orders.returns.shop import paid

Told = list[tuple[str, str, str]]


def packed_orders(number: int) -> list[Order]:
    """Captured orders of one mug each, each packed."""
    mug = sold_variant(10, in_stock=number)
    made = [paid((mug, 1)) for _ in range(number)]
    for order in made:
        pack(order, 1)
    return made


def started(name: str, *orders: Order, user: User | None = None) -> Job:
    """A job that a superuser, or that user, has started, not run yet."""
    actor = staff_actor(user or UserFactory(is_superuser=True))
    key = bulk.start(actor=actor, name=name, order_ids=[order.pk for order in orders], ticket=new_ulid())
    found: Job = Job.objects.get(pk=key)
    return found


def done(name: str, *orders: Order, **given: Any) -> Told:
    """Do it; what the job tells of each order."""
    job = started(name, *orders, **given)
    run_bulk_worker()
    return told(job)


def told(job: Job) -> Told:
    """Of each row: its name, what became of it, and why."""
    return list(job.results.values_list("label", "status", "text"))
