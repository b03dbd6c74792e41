"""Another process soon repeats what a dead or paused one asked its provider, however long the provider may take."""

import signal
import time
from datetime import timedelta

import pytest
from pytest_django import Settings

from kit.errors import Conflict
from payments.models import Intent
from payments.states import Act
from tests.crash.interrupted_payments import Wish, ask, killed_at, paused_at
from tests.crash.journal_provider import ASKED, DONE, Journal
from tests.crash.wishes import ask_again, check_done_once, wish_for
from tests.walks import sampled

pytestmark = pytest.mark.django_db(transaction=True)
UNHEARD = "the provider has done it and not answered"
ENOUGH_SECONDS = 30.0
"""Far more than a lease, far less than the patience."""


@pytest.fixture(autouse=True)
def patience(journal: Journal, settings: Settings) -> None:
    settings.PAYMENT_PATIENCE = timedelta(hours=1)


def ask_until_it_is_free(wish: Wish) -> None:
    """Retry, as clients do after a 409."""
    deadline = time.monotonic() + ENOUGH_SECONDS
    while time.monotonic() < deadline:
        try:
            answer = ask(wish)
        except Conflict:
            continue
        if wish.act != Act.START or answer.status_code != 409:
            return
    raise AssertionError("the claim has outlived its owner")


def test_what_a_killed_process_was_asking_is_free_within_its_lease(
    process_environment: dict[str, str], journal: Journal
) -> None:
    wish = wish_for(Act.START)
    assert killed_at(UNHEARD, wish, process_environment) == -signal.SIGKILL
    ask_until_it_is_free(wish)
    check_done_once(wish, journal, times_asked=2)


@pytest.mark.parametrize(("act", "point"), sampled([(Act.START, ASKED), (Act.START, DONE), (Act.CAPTURE, DONE)]))
def test_a_paused_process_and_its_successor_send_one_key_and_move_money_once(
    process_environment: dict[str, str], journal: Journal, act: Act, point: str
) -> None:
    wish = wish_for(act)
    with paused_at(point, wish, process_environment):
        ask_until_it_is_free(wish)
        (intent,) = Intent.objects.filter(act=act)
        assert (intent.result, intent.attempts) == ("done", 2)
    check_done_once(wish, journal, times_asked=2)
    ask_again(wish)
    check_done_once(wish, journal, times_asked=2)
    assert {line["key"] for line in journal.lines(ASKED) if line["act"] == act} == {intent.pk}
