"""At most so many emails to one address that strangers can cause; more wait, in their order."""

from datetime import timedelta

import pytest
from django.core import mail
from pytest_django import Settings

from commerce import settings as shop
from kit.messages.mails.models import Mail
from kit.messages.mails.queueing import queue_mail
from kit.messages.mails.sending import send_due
from kit.values.timestamps import now
from tests.concurrency.crowd import at_once
from tests.factories.clock import at
from tests.kit.messages.mails.conftest import Notes, send_all

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


def sent() -> list[str]:
    return [letter.subject.split()[1].rstrip(":") for letter in mail.outbox]


@pytest.fixture(autouse=True)
def limit(settings: Settings) -> None:
    settings.THROTTLES = {**settings.THROTTLES, "guest_mails": (3, 3600)}


def test_the_default_is_ten_an_hour() -> None:
    assert shop.THROTTLES["guest_mails"] == (10, 3600)


def test_more_wait_an_hour_and_go_in_their_order(notes: Notes) -> None:
    for number in range(8):
        queue_mail("note", about=f"{number}", is_for_guest=True)
    start = now()
    with at(start):
        send_due()
        assert sent() == ["0", "1", "2"]
    waiting = list(Mail.objects.filter(sent_at=None).order_by("pk"))
    assert [row.next_try_at - start for row in waiting] == [HOUR] * 3 + [2 * HOUR] * 2
    assert {(row.attempts, row.error, row.recipient) for row in waiting} == {(0, "", "a•••@example.com")}
    with at(start + HOUR - timedelta(seconds=1)):
        assert send_due() == 0
    with at(start + HOUR):
        send_due()
        assert sent() == ["0", "1", "2", "3", "4", "5"]
    with at(start + 2 * HOUR):
        send_due()
        assert sent() == [f"{number}" for number in range(8)]


def test_a_change_of_the_secret_key_is_no_way_around_it(notes: Notes, settings: Settings) -> None:
    start = now()
    for moment, numbers in ((start, range(3)), (start + HOUR / 2, range(3, 5))):
        with at(moment):
            for number in numbers:
                queue_mail("note", about=f"{number}", is_for_guest=True)
            send_due()
        settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another secret", [settings.SECRET_KEY]
    assert sent() == ["0", "1", "2"]


def test_a_newer_mail_does_not_take_the_turn_of_one_that_waits(notes: Notes) -> None:
    start = now()
    with at(start):
        for number in range(6):
            queue_mail("note", about=f"{number}", is_for_guest=True)
        send_due()
    with at(start + HOUR - timedelta(seconds=1)):
        queue_mail("note", about="newer", is_for_guest=True)
        send_due()
        assert sent() == ["0", "1", "2"]
    with at(start + HOUR):
        send_due()
        assert sent() == ["0", "1", "2", "3", "4", "5"]


def test_other_addresses_and_mails_that_no_stranger_causes_do_not_wait(notes: Notes) -> None:
    for number in range(5):
        queue_mail("note", about=f"{number}", is_for_guest=True)
    send_due()
    queue_mail("note", about="own")
    send_due()
    notes.recipient = "bob@example.com"
    queue_mail("note", about="bob", is_for_guest=True)
    send_due()
    assert sent() == ["0", "1", "2", "own", "bob"]


def test_letter_case_makes_no_other_address(notes: Notes) -> None:
    for number in range(5):
        notes.recipient = "ann@example.com" if number % 2 else "Ann@Example.com"
        queue_mail("note", about=f"{number}", is_for_guest=True)
        send_due()
    assert sent() == ["0", "1", "2"]


@pytest.mark.django_db(transaction=True)
def test_workers_at_once_do_not_slip_past_it(notes: Notes) -> None:
    for number in range(12):
        queue_mail("note", about=f"{number}", is_for_guest=True)
    at_once(lambda _: send_all(), threads=4)
    assert len(mail.outbox) == 3
