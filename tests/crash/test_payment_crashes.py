"""A process that asks a payment provider may be killed between any two steps: it is finished later, and done once."""

import signal
from dataclasses import replace
from decimal import Decimal

import pytest

from payments.models import PaymentCollection, PaymentSession
from payments.states import Act, SessionStatus
from tests.crash.interrupted_payments import POINTS, POINTS_OF_REQUESTS, ask, killed_at
from tests.crash.journal_provider import Journal, JournalProvider
from tests.crash.wishes import ACTS, ask_again, check_done_once, finish, wish_for
from tests.walks import sampled

pytestmark = pytest.mark.django_db(transaction=True)
CASES = [(act, point) for act in ACTS for point in (POINTS_OF_REQUESTS if act == Act.START else POINTS)]
LEFT_UNDONE, ASKED_BEFORE = POINTS[1:6:2], POINTS[2:6]
UNHEARD = "the provider has done it and not answered"


@pytest.mark.parametrize(("act", "point"), sampled(CASES))
def test_the_asking_process_is_killed_and_asks_once_more(
    process_environment: dict[str, str], journal: Journal, act: Act, point: str
) -> None:
    wish = wish_for(act)
    assert killed_at(point, wish, process_environment) == -signal.SIGKILL
    ask_again(wish)
    finish()  # what no caller waits for, such as a cancellation
    check_done_once(wish, journal, times_asked=1 + (point in ASKED_BEFORE))


@pytest.mark.parametrize(("act", "point"), sampled([(act, point) for act in ACTS for point in LEFT_UNDONE], start=1))
def test_the_asking_process_is_killed_and_the_worker_does_the_rest(
    process_environment: dict[str, str], journal: Journal, act: Act, point: str
) -> None:
    wish = wish_for(act)
    assert killed_at(point, wish, process_environment) == -signal.SIGKILL
    finish()
    check_done_once(wish, journal, times_asked=1 + (point in ASKED_BEFORE))
    ask_again(wish)
    check_done_once(wish, journal, times_asked=1 + (point in ASKED_BEFORE))


def test_without_a_key_too_a_storefront_goes_on_with_what_it_has_begun(
    process_environment: dict[str, str], journal: Journal
) -> None:
    wish = replace(wish_for(Act.START), key=None)
    assert killed_at(UNHEARD, wish, process_environment) == -signal.SIGKILL
    assert ask(wish).status_code == 200
    check_done_once(wish, journal, times_asked=2)


def test_with_its_key_a_storefront_goes_on_with_what_was_tried_meanwhile_and_without_one_it_begins_again(
    process_environment: dict[str, str], journal: Journal
) -> None:
    """The proof can fail: by the key's mark a second sending differs from another wish."""
    wish = wish_for(Act.START)
    assert killed_at("the outcome is committed", wish, process_environment) == -signal.SIGKILL
    PaymentSession.objects.update(status=SessionStatus.REQUIRES_MORE)
    shown = ask(wish).json()["payment_collection"]["payment_sessions"]
    session = PaymentSession.objects.get()
    assert ([each["id"] for each in shown], journal.asked(session.pk)) == ([session.pk], {Act.START: 1})
    shown = ask(replace(wish, key=None)).json()["payment_collection"]["payment_sessions"]
    assert [each["id"] for each in shown] != [session.pk]
    assert PaymentSession.objects.count() == 2


def test_without_a_key_money_that_was_taken_unheard_is_taken_again(
    process_environment: dict[str, str], journal: Journal
) -> None:
    """The proof can fail: the key's mark is what tells a second sending from another wish."""
    wish = replace(wish_for(Act.CAPTURE), key=None)
    assert killed_at("the outcome is committed", wish, process_environment) == -signal.SIGKILL
    ask(wish)
    with pytest.raises(AssertionError):
        check_done_once(wish, journal, times_asked=1)
    assert PaymentCollection.objects.get().captured_amount == 60


def test_a_provider_that_is_asked_again_by_another_key_does_it_again(
    process_environment: dict[str, str], journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The proof can fail: without the intent's id as its key the provider takes twice what we wanted once."""
    wish = wish_for(Act.CAPTURE)
    assert killed_at(UNHEARD, wish, process_environment) == -signal.SIGKILL
    capture = JournalProvider.capture
    monkeypatch.setattr(JournalProvider, "capture", lambda *given, key: capture(*given, key=f"{key} again"))
    ask(wish)
    with pytest.raises(AssertionError):
        check_done_once(wish, journal, times_asked=2)
    assert journal.done(PaymentSession.objects.get().pk)[2:] == [(Act.CAPTURE, Decimal(30))] * 2
