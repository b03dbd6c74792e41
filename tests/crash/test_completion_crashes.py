"""A process that completes a cart may be killed between any two steps: there is one order, or all is released."""

import signal
from decimal import Decimal

import pytest

from orders.models import CompletionAttempt, Order
from tests.crash.checkouts import (
    answered,
    check_answered,
    check_asked,
    check_ordered,
    check_released,
    checkout,
    work_off,
)
from tests.crash.interrupted_completions import (
    ASKED_TWICE,
    CLAIMED,
    POINTS,
    POINTS_OF_ONE_TRANSACTION,
    POINTS_OF_REFUSALS,
    POINTS_OF_WORKERS,
    killed_at,
    worker_killed_at,
)
from tests.crash.journal_provider import Journal
from tests.walks import sampled

pytestmark = [pytest.mark.every(2), pytest.mark.django_db(transaction=True)]
Environment = dict[str, str]


@pytest.mark.parametrize("point", sampled(POINTS))
def test_a_repeated_call_finishes_what_a_killed_one_began(
    process_environment: Environment, journal: Journal, point: str
) -> None:
    wanted = checkout()
    assert killed_at(point, wanted, process_environment) == -signal.SIGKILL
    check_answered(wanted)
    check_ordered(wanted.cart_id)
    work_off()
    check_ordered(wanted.cart_id)
    check_asked(journal, times=1 + (point in ASKED_TWICE))


@pytest.mark.parametrize("point", sampled(POINTS, start=1))
def test_the_worker_finishes_what_a_killed_call_claimed(
    process_environment: Environment, journal: Journal, point: str
) -> None:
    wanted = checkout()
    assert killed_at(point, wanted, process_environment) == -signal.SIGKILL
    work_off()
    if point == POINTS[0]:
        check_released(wanted.cart_id, number_of_attempts=0)
    else:
        check_ordered(wanted.cart_id)
    check_answered(wanted)
    check_ordered(wanted.cart_id)
    check_asked(journal, times=1 + (point in ASKED_TWICE))


@pytest.mark.parametrize("point", sampled(POINTS_OF_WORKERS))
def test_the_worker_is_killed_too_and_the_next_one_finishes_it(
    process_environment: Environment, journal: Journal, point: str
) -> None:
    wanted = checkout()
    assert killed_at(CLAIMED, wanted, process_environment) == -signal.SIGKILL
    assert worker_killed_at(point, process_environment) == -signal.SIGKILL
    work_off()
    check_ordered(wanted.cart_id)
    check_answered(wanted)
    check_asked(journal, times=1 + (point in ASKED_TWICE))


@pytest.mark.parametrize("point", sampled(POINTS_OF_REFUSALS))
def test_a_refusal_releases_everything_whichever_process_was_killed(
    process_environment: Environment, journal: Journal, point: str
) -> None:
    wanted = checkout()
    journal.refuse_authorizations()
    assert killed_at(point, wanted, process_environment) == -signal.SIGKILL
    assert CompletionAttempt.objects.get().status == "open"
    work_off()
    check_released(wanted.cart_id, number_of_attempts=1)


@pytest.mark.parametrize("point", sampled(POINTS_OF_REFUSALS, start=1))
def test_a_refusal_is_answered_to_a_repeated_call(
    process_environment: Environment, journal: Journal, point: str
) -> None:
    wanted = checkout()
    journal.refuse_authorizations()
    assert killed_at(point, wanted, process_environment) == -signal.SIGKILL
    answer = answered(wanted)
    assert (answer["type"], answer["error"]["type"]) == ("cart", "payment_authorization_error")
    check_released(wanted.cart_id, number_of_attempts=1)


@pytest.mark.parametrize("point", POINTS_OF_ONE_TRANSACTION)
def test_where_nothing_is_due_there_is_no_attempt_to_finish(
    process_environment: Environment, journal: Journal, point: str
) -> None:
    wanted = checkout(card=50)
    assert killed_at(point, wanted, process_environment) == -signal.SIGKILL
    assert Order.objects.exists() == (point == POINTS_OF_ONE_TRANSACTION[1])
    check_answered(wanted)
    check_ordered(wanted.cart_id, paid=Decimal(0))
    assert not CompletionAttempt.objects.exists()
