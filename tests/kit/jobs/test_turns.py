"""A job runs in turns; each row is processed once, whatever happens to the worker."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import SimpleNamespace

import pytest
from django.db import OperationalError
from django_tasks_db.models import DBTaskResult

from kit.errors import Conflict, Forbidden, NotAllowed
from kit.jobs import creation, turns, work
from kit.jobs.creation import create
from kit.jobs.endings import JobIsOver, cancel
from kit.jobs.kinds import JOB_KINDS, Piece
from kit.jobs.models import Job
from kit.jobs.states import JobStatus
from kit.jobs.turns import LEASE, MOST_IDLE_TURNS, take_turn
from kit.safety.throttling.models import Counter
from tests.factories.staff import UserFactory
from tests.kit.jobs.bulk_worker import let_leases_end, run_bulk_worker, statuses

pytestmark = pytest.mark.django_db(transaction=True)

KEYS = tuple(f"row{number}" for number in range(7))
_happenings: dict[str, Callable[[Job], object]] = {}


def kind(job: Job, keys: Sequence[str]) -> Mapping[str, Piece]:
    """Counts each key in a table, without what was rolled back; a test can add what happens at a key."""
    return {key: Piece(f"The {key}", lambda key=key: _work_on(job, key)) for key in keys if key != "gone"}


def _work_on(job: Job, key: str) -> None:
    Counter.objects.create(digest=key, count=1, window_end=0)
    _happenings.get(key, lambda _: None)(job)


@pytest.fixture(autouse=True)
def at(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Callable[[Job], object]]]:
    """What happens when the work comes to a key."""
    monkeypatch.setattr(JOB_KINDS, "_value", {"count": kind})
    monkeypatch.setattr(work, "PAUSE_SECONDS", 0)
    _happenings.clear()
    yield _happenings
    _happenings.clear()


def a_job(*keys: str) -> Job:
    return create(kind="count", title="Count", actor_id=UserFactory().pk, keys=keys or KEYS, parameters={})


def counted() -> list[str]:
    return sorted(Counter.objects.values_list("digest", flat=True))


def fails_with(error: Exception) -> Callable[[Job], object]:
    def fail(_: Job) -> None:
        raise error

    return fail


def state(job: Job) -> tuple[str, int, int]:
    job.refresh_from_db()
    return job.status, job.succeeded, job.refused


def test_all_rows_are_done_once_in_their_order(at: dict[str, Callable[[Job], object]]) -> None:
    order: list[str] = []
    at.update({key: lambda _, key=key: order.append(key) for key in KEYS})
    job = a_job()
    assert state(job) == (JobStatus.QUEUED, 0, 0)
    run_bulk_worker()
    assert order == list(KEYS)
    assert state(job) == (JobStatus.DONE, 7, 0)
    assert not job.refusals.exists()
    assert job.started_at <= job.finished_at < job.expires_at
    let_leases_end()
    run_bulk_worker()
    assert order == list(KEYS)
    assert statuses() == {"SUCCESSFUL"}


def test_a_refusal_keeps_its_reason_and_undoes_what_was_done_for_its_row(
    at: dict[str, Callable[[Job], object]],
) -> None:
    at["row2"] = fails_with(NotAllowed("It has children"))
    at["row3"] = fails_with(Conflict())
    at["row4"] = fails_with(ZeroDivisionError())
    job = a_job(*KEYS, "gone")
    run_bulk_worker()
    assert state(job) == (JobStatus.DONE, 4, 4)
    assert counted() == ["row0", "row1", "row5", "row6"]
    assert list(job.refusals.values_list("label", "reason")) == [
        ("The row2", "It has children"),
        ("The row3", work.HELD),
        ("The row4", work.BROKEN),
        ("gone", work.GONE),
    ]


def test_a_missing_permission_ends_the_job_and_says_so(at: dict[str, Callable[[Job], object]]) -> None:
    at["row2"] = fails_with(Forbidden("The permission 'a.b' is required"))
    job = a_job()
    run_bulk_worker()
    assert state(job) == (JobStatus.FAILED, 2, 0)
    assert job.message == "The permission 'a.b' is required"
    assert job.expires_at
    assert counted() == ["row0", "row1"]


def test_a_turn_ends_after_its_time_and_other_jobs_have_theirs(
    at: dict[str, Callable[[Job], object]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(work, "BATCH_ROWS", 2)
    monkeypatch.setattr(turns, "TURN_SECONDS", 0.05)
    order: list[str] = []
    for key in [*KEYS, "other"]:
        at[key] = lambda _, key=key: order.append(key)
    at["row1"] = lambda _: (order.append("row1"), work.time.sleep(0.1))
    long, short = a_job(), a_job("other")
    run_bulk_worker()
    assert order[:3] == ["row0", "row1", "other"]
    assert state(long) == (JobStatus.DONE, 7, 0)
    assert state(short) == (JobStatus.DONE, 1, 0)
    assert long.turn >= 2


def test_a_batch_is_bounded_by_time_too(monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []
    monkeypatch.setattr(work, "BATCH_SECONDS", 0)
    monkeypatch.setattr(work, "time", SimpleNamespace(monotonic=time.monotonic, sleep=pauses.append))
    job = a_job()
    run_bulk_worker()
    assert state(job) == (JobStatus.DONE, 7, 0)
    assert pauses == [work.PAUSE_SECONDS] * 7


def test_a_canceled_job_stops_before_the_next_row(monkeypatch: pytest.MonkeyPatch) -> None:
    job = a_job()
    after_row("row2", cancel, monkeypatch)
    run_bulk_worker()
    assert state(job) == (JobStatus.CANCELED, 3, 0)
    assert counted() == ["row0", "row1", "row2"]
    with pytest.raises(JobIsOver):
        cancel(job)


def test_a_worker_whose_turn_was_taken_records_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """It was paused for longer than its lease, and another worker went on."""
    job = a_job()
    after_row("row2", lambda running: take_turn.call(job_id=running.pk, turn=running.turn), monkeypatch)
    run_bulk_worker()
    assert state(job) == (JobStatus.DONE, 7, 0)
    assert counted() == list(KEYS)  # twice would break the table's rule
    assert job.turn == 2


def after_row(key: str, happens: Callable[[Job], object], monkeypatch: pytest.MonkeyPatch) -> None:
    """Between that row and the next, once, something else is committed."""
    process = work._process

    def deal(running: Job, dealt: str, piece: Piece | None) -> None:
        process(running, dealt, piece)
        if dealt == key:
            monkeypatch.setattr(work, "_process", process)
            happens(running)

    monkeypatch.setattr(work, "_process", deal)


@pytest.mark.parametrize("killed_at", ["row0", "row3", "row6"])
def test_after_the_lease_another_worker_continues_where_a_killed_one_stood(
    at: dict[str, Callable[[Job], object]], killed_at: str
) -> None:
    job = a_job()
    at[killed_at] = fails_with(OperationalError("the server closed the connection unexpectedly"))
    run_bulk_worker(turns=1)
    number = KEYS.index(killed_at)
    assert state(job) == (JobStatus.RUNNING, number, 0)
    at.clear()
    run_bulk_worker()
    assert state(job) == (JobStatus.RUNNING, number, 0)  # the lease has not ended
    let_leases_end()
    run_bulk_worker()
    assert state(job) == (JobStatus.DONE, 7, 0)
    assert counted() == list(KEYS)


def test_a_worker_that_is_killed_before_its_turn_begins_leaves_the_next_task() -> None:
    job = a_job()
    lost = DBTaskResult.objects.ready().get()
    lost.claim("killed")
    run_bulk_worker()
    assert state(job) == (JobStatus.QUEUED, 0, 0)
    let_leases_end()
    run_bulk_worker()
    assert state(job) == (JobStatus.DONE, 7, 0)


def test_a_job_whose_every_turn_ends_in_nothing_fails(at: dict[str, Callable[[Job], object]]) -> None:
    job = a_job()
    at["row1"] = fails_with(OperationalError("out of memory"))
    for _ in range(MOST_IDLE_TURNS + 3):
        let_leases_end()
        run_bulk_worker()
    assert state(job) == (JobStatus.FAILED, 1, 0)
    assert job.message == f"The job was started {MOST_IDLE_TURNS} times without progress"
    assert job.idle_turns == MOST_IDLE_TURNS + 1


def test_a_turn_is_taken_once_however_many_tasks_there_are_for_it() -> None:
    job = a_job()
    for _ in range(3):
        take_turn.call(job_id=job.pk, turn=0)
    assert state(job) == (JobStatus.DONE, 7, 0)
    assert job.turn == 1


def test_each_turn_leaves_a_task_for_the_end_of_its_lease() -> None:
    job = a_job()
    assert len(_waiting(job, turn=0)) == 2
    assert turns._taken(job.pk, 0).turn == 1
    (waiting,) = _waiting(job, turn=1)
    assert waiting.run_after - waiting.enqueued_at >= LEASE - turns.timedelta(seconds=1)


def _waiting(job: Job, *, turn: int) -> list[DBTaskResult]:
    tasks = DBTaskResult.objects.filter(status="READY")
    return [task for task in tasks if task.args_kwargs["kwargs"] == {"job_id": job.pk, "turn": turn}]


def test_a_selection_of_any_size_is_kept_in_its_order(
    at: dict[str, Callable[[Job], object]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(creation, "_KEYS_A_ROW", 3)
    monkeypatch.setattr(work, "BATCH_ROWS", 2)
    order: list[str] = []
    at.update({key: lambda _, key=key: order.append(key) for key in KEYS})
    job = a_job()
    assert [selection.keys for selection in job.selections.order_by("first")] == [
        ["row0", "row1", "row2"],
        ["row3", "row4", "row5"],
        ["row6"],
    ]
    run_bulk_worker()
    assert order == list(KEYS)
    assert state(job) == (JobStatus.DONE, 7, 0)
