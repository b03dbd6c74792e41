"""The job that reduces the prices of a list, whatever their number."""

import time
from functools import partial

from django.db import transaction

from catalog.models import PriceList
from catalog.prices.reductions.reducing import Counts, reduce_next, variants
from catalog.prices.reductions.reduction import Reduction
from kit.database.locking import retry_on_conflict
from kit.domain.actor import Actor
from kit.jobs.creation import create
from kit.jobs.kinds import Report
from kit.jobs.models import Job
from kit.jobs.single_step import record
from kit.jobs.work import PAUSE_SECONDS
from staff.actors import staff_actor
from staff.models import User

KIND = "reduce_prices"


def start(*, actor: Actor, price_list: PriceList, only: Reduction | None) -> Job:
    """Queue the job that calls `reduce_next` until no variants are left."""
    return create(
        kind=KIND,
        title=f"Prices of {price_list} to be reduced",
        actor_id=str(actor.id),
        keys=(),
        parameters={
            "price_list_id": price_list.pk,
            "only": None if only is None else only.as_json(),
            "total": variants(price_list, only).count(),
            "after": "",
            "done": 0,
            "counts": [*Counts()],
        },
    )


def perform(job: Job, report: Report) -> int:
    """Reduce the prices, some variants in each transaction, with the present permissions of the job's actor.

    A job whose worker was killed continues behind the last variant that it has finished. Returns the number of
    variants. Raises NotFound, Forbidden.
    """
    while retry_on_conflict(partial(_do_next, job)):
        report(job.parameters["done"], job.parameters["total"])
        time.sleep(PAUSE_SECONDS)  # as in kit/jobs/work.py
    return int(job.parameters["done"])


def _do_next(job: Job) -> bool:
    """One step. Returns whether there are more."""
    done = job.parameters
    with transaction.atomic():
        step = reduce_next(
            actor=staff_actor(User.objects.get(pk=job.actor_id)),
            price_list_id=done["price_list_id"],
            only=done["only"] and Reduction.from_json(done["only"]),
            after=done["after"],
        )
        counts = Counts(*done["counts"]) + step.counts
        place = {"after": step.last, "done": done["done"] + step.variants, "counts": [*counts]}
        parameters = {**done, **place}
        record(job, parameters, str(counts))
    job.parameters = parameters
    return step.last is not None
