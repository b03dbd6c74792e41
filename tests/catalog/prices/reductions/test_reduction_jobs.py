"""Jobs reduce any number of prices, once each, whatever happens to their workers."""

from decimal import Decimal
from types import SimpleNamespace
from typing import Any

import pytest

from catalog.models import Price, PriceList
from catalog.prices.reductions import jobs, reducing
from catalog.prices.reductions.reduction import Reduction, replace_reductions
from kit.jobs import turns
from kit.jobs.endings import cancel
from kit.jobs.models import Job
from kit.jobs.states import JobStatus
from tests.catalog.prices.reductions.sales import STAFF, listed, sold
from tests.factories.pricing import PriceListFactory
from tests.factories.staff import UserFactory
from tests.kit.jobs.bulk_worker import let_leases_end, run_bulk_worker

pytestmark = pytest.mark.django_db(transaction=True)
ALL = Reduction(Decimal(10), {})
PERMISSIONS = ["catalog.add_price", "catalog.change_price", "catalog.delete_price"]


class Killed(BaseException):
    """The worker ends here and now, as by SIGKILL."""


@pytest.fixture(autouse=True)
def two_a_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reducing, "BATCH", 2)
    monkeypatch.setattr(jobs, "PAUSE_SECONDS", 0)


@pytest.fixture
def sale() -> PriceList:
    """A list of which five prices are to be reduced."""
    made: PriceList = PriceListFactory(title="Spring")
    for amount in range(10, 15):
        sold(amount)
    replace_reductions(actor=STAFF, price_list_id=made.pk, add=ALL)
    made.refresh_from_db()
    return made


def started(sale: PriceList, only: Reduction | None = ALL) -> Job:
    actor: Any = UserFactory(permissions=PERMISSIONS)
    return jobs.start(actor=actor, price_list=sale, only=only)


def at_step(monkeypatch: pytest.MonkeyPatch, number: int, happens: Any) -> None:
    """Let something happen in the transaction of that step, once its prices are written."""
    record, steps = jobs.record, []

    def recorded(job: Job, *args: Any) -> None:
        steps.append(job)
        if len(steps) == number:
            happens(job)
        record(job, *args)

    monkeypatch.setattr(jobs, "record", recorded)


def after_step(monkeypatch: pytest.MonkeyPatch, number: int, happens: Any) -> None:
    """Let something happen between that step and the next."""
    pauses: list[float] = []

    def sleep(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == number:
            happens()

    monkeypatch.setattr(jobs, "time", SimpleNamespace(sleep=sleep))


def state(job: Job) -> tuple[str, str, str, int]:
    job.refresh_from_db()
    return job.title, job.status, job.message, job.succeeded


ALL_REDUCED = [("usd", Decimal(amount), None, []) for amount in ("9", "9.9", "10.8", "11.7", "12.6")]


def test_a_job_reduces_all_and_says_how_many(sale: PriceList) -> None:
    job = started(sale)
    run_bulk_worker(turns=1)
    assert state(job) == ("Prices of Spring to be reduced", JobStatus.DONE, "5 prices added, 0 changed, 0 removed", 5)
    assert listed(sale) == ALL_REDUCED
    Price.objects.filter(price_list=None, amount=14).delete()
    again = started(sale, None)
    let_leases_end()
    run_bulk_worker()
    assert state(again)[1:] == (JobStatus.DONE, "0 prices added, 0 changed, 1 removed", 5)
    assert listed(sale) == ALL_REDUCED[:-1]


@pytest.mark.parametrize("step", [1, 2, 3])
def test_a_killed_job_continues_without_doubling(sale: PriceList, step: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def die(_: Job) -> None:
        raise Killed

    job = started(sale)
    with monkeypatch.context() as patched:
        at_step(patched, step, die)
        with pytest.raises(Killed):
            turns.take_turn.call(job.pk, 0)
    assert len(listed(sale)) == 2 * (step - 1)
    let_leases_end()
    run_bulk_worker()
    assert state(job)[1:] == (JobStatus.DONE, "5 prices added, 0 changed, 0 removed", 5)
    assert listed(sale) == ALL_REDUCED


def test_a_worker_whose_turn_is_over_writes_nothing(sale: PriceList, monkeypatch: pytest.MonkeyPatch) -> None:
    job = started(sale)
    after_step(monkeypatch, 1, lambda: Job.objects.filter(pk=job.pk).update(turn=100))
    turns.take_turn.call(job.pk, 0)
    assert state(job)[1:3] == (JobStatus.RUNNING, "2 prices added, 0 changed, 0 removed")
    assert len(listed(sale)) == 2


def test_a_canceled_job_stops_and_keeps_what_is_done(sale: PriceList, monkeypatch: pytest.MonkeyPatch) -> None:
    job = started(sale)
    after_step(monkeypatch, 2, lambda: cancel(job))
    run_bulk_worker(turns=1)
    assert state(job)[1:3] == (JobStatus.CANCELED, "4 prices added, 0 changed, 0 removed")
    assert len(listed(sale)) == 4


def test_it_ends_where_its_actor_may_no_longer_reduce_prices(sale: PriceList) -> None:
    job = started(sale)
    user = job.actor
    user.user_permissions.clear()
    run_bulk_worker(turns=1)
    assert state(job)[1] == JobStatus.FAILED
    assert "catalog.add_price" in job.message
    assert listed(sale) == []
