"""An email is queued with the transaction that causes it, once for its kind, its subject and its number."""

from contextlib import suppress
from typing import Any

import pytest
from django.core import mail
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from kit.domain.actor import SYSTEM, Actor
from kit.errors import Forbidden
from kit.messages.mails.models import Mail
from kit.messages.mails.queueing import queue_mail, queue_next_mail
from kit.messages.mails.repeating import MailIsWaiting, send_again
from kit.messages.mails.sending import send_due
from kit.writes import raw_rows
from tests.concurrency.crowd import at_once
from tests.kit.messages.mails.conftest import Notes


@pytest.mark.django_db(transaction=True)
class TestTransactions:
    def test_36_it_is_queued_if_and_only_if_the_transaction_commits(self, notes: Notes) -> None:
        with transaction.atomic():
            queue_mail("note", about="undone")
            transaction.set_rollback(True)
        with transaction.atomic():
            queue_mail("note", about="done")
        assert [each.about for each in Mail.objects.all()] == ["done"]
        send_due()
        assert [letter.subject for letter in mail.outbox] == ["Note done: Hello"]

    def test_1_twenty_callers_at_once_queue_one_mail(self, notes: Notes) -> None:
        at_once(lambda _: queue_mail("note", about="order"), threads=20)
        assert Mail.objects.count() == 1

    def test_four_who_send_it_again_at_once_queue_one_mail(self, notes: Notes) -> None:
        queue_mail("note", about="order")
        send_due()
        first = Mail.objects.get()

        def send(_: int) -> None:
            with suppress(MailIsWaiting):
                send_again(actor=SYSTEM, mail=first)

        at_once(send, threads=4)
        assert sorted(Mail.objects.values_list("number", flat=True)) == [1, 2]


@pytest.mark.django_db
class TestNext:
    def test_it_takes_the_next_number_if_another_process_takes_its_own(self, monkeypatch: pytest.MonkeyPatch) -> None:
        queue_next_mail("note", about="order")
        insert = raw_rows.insert

        def after_another(*rows: Any, **given: Any) -> int:
            monkeypatch.setattr(raw_rows, "insert", insert)
            Mail.objects.create(kind="note", about="order", number=2)
            return insert(*rows, **given)

        monkeypatch.setattr(raw_rows, "insert", after_another)
        queue_next_mail("note", about="order")
        assert sorted(Mail.objects.values_list("number", flat=True)) == [1, 2, 3]


@pytest.mark.django_db
class TestOnce:
    def test_kind_subject_and_number_make_it_another_one(self) -> None:
        for _ in range(2):
            queue_mail("note", about="a")
            queue_mail("note", about="b")
            queue_mail("other", about="a")
            queue_mail("note", about="a", number=2)
        assert Mail.objects.count() == 4

    def test_the_database_holds_it(self) -> None:
        queue_mail("note", about="a")
        with pytest.raises(IntegrityError), transaction.atomic():
            Mail.objects.create(kind="note", about="a", number=1)

    def test_it_costs_one_statement(self) -> None:
        with CaptureQueriesContext(connection) as queries:
            queue_mail("note", about="a", is_for_guest=True)
        assert [query["sql"].split()[0] for query in queries] == ["INSERT"]

    def test_one_that_was_sent_is_not_queued_again(self, notes: Notes) -> None:
        queue_mail("note", about="a")
        send_due()
        queue_mail("note", about="a")
        assert send_due() == 0
        assert len(mail.outbox) == 1


@pytest.mark.django_db
class TestAgain:
    def test_it_gets_the_next_number_and_is_rendered_again(self, notes: Notes) -> None:
        queue_mail("note", about="a", is_for_guest=True)
        send_due()
        notes.recipient = "new@example.com"
        send_again(actor=SYSTEM, mail=Mail.objects.get())
        send_due()
        assert notes.rendered == [("a", 1), ("a", 2)]
        assert [letter.to for letter in mail.outbox] == [["ann@example.com"], ["new@example.com"]]
        first, second = (letter.extra_headers["Message-ID"] for letter in mail.outbox)
        assert first != second

    def test_not_while_it_waits_and_not_without_permission(self) -> None:
        queue_mail("note", about="a")
        waiting = Mail.objects.get()
        with pytest.raises(MailIsWaiting):
            send_again(actor=SYSTEM, mail=waiting)
        with pytest.raises(Forbidden):
            send_again(actor=Actor("user", "user_1", ()), mail=waiting)
        assert Mail.objects.count() == 1
