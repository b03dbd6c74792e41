"""Transactions that pause for work that may not happen inside them."""

import pytest
from django.db import connection, transaction

from kit.database import reruns
from kit.database.locking import retry_on_conflict
from shop.models import SalesChannel

pytestmark = pytest.mark.django_db(transaction=True)


def outside() -> str:
    assert not connection.in_atomic_block
    return "answer"


def test_it_is_rolled_back_and_runs_again_with_the_result() -> None:
    runs: list[object] = []

    @transaction.atomic
    def work() -> object:
        SalesChannel.objects.create(name=f"Run {len(runs)}")
        runs.append(reruns.result_of("key"))
        if reruns.result_of("key") is None:
            reruns.rerun_after("key", outside)
        return reruns.result_of("key")

    assert retry_on_conflict(work) == "answer"
    assert runs == [None, "answer"]
    assert [each.name for each in SalesChannel.objects.filter(name__startswith="Run")] == ["Run 1"]
    assert reruns.result_of("key") is None


def test_after_three_pauses_it_goes_on_without() -> None:
    done: list[int] = []

    def work() -> int:
        reruns.rerun_after(str(len(done)), lambda: done.append(1) or "done")
        return len(done)

    assert retry_on_conflict(work) == 3


def test_without_anybody_who_starts_it_again_it_goes_on() -> None:
    reruns.rerun_after("key", outside)
    with transaction.atomic():
        assert retry_on_conflict(lambda: reruns.rerun_after("key", outside)) is None


def test_a_failure_of_the_work_is_that_of_the_transaction() -> None:
    def fail() -> None:
        raise ConnectionError("no way")

    with pytest.raises(ConnectionError, match="no way"):
        retry_on_conflict(lambda: reruns.rerun_after("key", fail))
    assert reruns.result_of("key") is None
