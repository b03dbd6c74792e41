"""Sending to a real mail server: retried until it works, never twice once that is recorded."""

import time
from datetime import timedelta

import pytest
from django.core import mail
from django.db import IntegrityError, transaction
from pytest_django import Settings
from structlog.testing import capture_logs

from kit.errors import Conflict
from kit.messages.mails import leases, sending
from kit.messages.mails.kinds import MAIL_KINDS, Attachment, RenderedMail
from kit.messages.mails.models import Mail
from kit.messages.mails.queueing import queue_mail
from kit.messages.mails.repeating import can_be_sent
from kit.messages.mails.sending import MailServerUnavailable, send_due
from kit.values.timestamps import now
from tests.concurrency.crowd import at_once
from tests.factories.clock import at
from tests.kit.messages.mails.conftest import Notes, send_all, use_server
from tests.kit.messages.mails.smtp_server import MailServer, mail_server

pytestmark = pytest.mark.django_db


def only() -> Mail:
    return Mail.objects.get()


class TestServer:
    def test_a_server_that_is_down_delays_and_costs_no_attempt(
        self, notes: Notes, settings: Settings, port: int
    ) -> None:
        use_server(settings, port)
        for number in range(3):
            queue_mail("note", about=f"{number}")
        for _ in range(5):
            with pytest.raises(MailServerUnavailable):
                send_due()
        assert notes.rendered == []
        for waiting in Mail.objects.all():
            assert (waiting.status, waiting.attempts) == ("waiting", 0)
            assert waiting.error.startswith("The mail server cannot be used: [Errno 111]")
        with mail_server(port) as server:
            assert send_due() == 3
        assert [message["Subject"] for message in server.accepted] == [f"Note {number}: Hello" for number in range(3)]
        assert {(each.status, each.error, each.attempts) for each in Mail.objects.all()} == {("sent", "", 1)}

    def test_what_arrives_is_text_and_html_in_the_shops_name(self, notes: Notes, server: MailServer) -> None:
        queue_mail("note", about="a")
        send_due()
        (message,) = server.accepted
        assert message["From"] == '"Tea & Co" <shop@localhost>' or message["From"] == "Tea & Co <shop@localhost>"
        assert (message["To"], message["Auto-Submitted"]) == ("ann@example.com", "auto-generated")
        assert message["Message-ID"] == f"<{only().pk}@localhost>"
        text, page = message.iter_parts()
        assert (text.get_content_type(), text.get_content().split()) == (
            "text/plain",
            ["Hello", "from", "Tea", "&", "Co"],
        )
        assert (page.get_content_type(), page.get_content().strip()) == (
            "text/html",
            "<p>Hello</p><p>Tea &amp; Co</p>",
        )

    def test_a_refused_recipient_backs_off_and_the_others_go(self, notes: Notes, server: MailServer) -> None:
        server.refuses.add("ann@example.com")
        queue_mail("note", about="a")
        with capture_logs() as lines:
            send_due()
        refused = only()
        error = "SMTPRecipientsRefused: {'a•••@example.com': (550, b'no mailbox a•••@example.com')}"
        assert (refused.status, refused.error, refused.recipient) == ("waiting", error, "a•••@example.com")
        assert refused.next_try_at - now() > timedelta(seconds=25)
        assert "ann@example.com" not in str(lines)
        notes.recipient = "bob@example.com"
        queue_mail("note", about="b")
        assert send_due() == 1
        assert [message["To"] for message in server.accepted] == ["bob@example.com"]
        with at(refused.next_try_at):
            server.refuses.clear()
            notes.recipient = "ann@example.com"
            assert send_due() == 1
        assert [message["To"] for message in server.accepted] == ["bob@example.com", "ann@example.com"]

    def test_a_server_that_hangs_up_in_between_gets_the_next_on_a_new_connection(
        self, notes: Notes, server: MailServer
    ) -> None:
        server.hang_ups = 1
        for number in range(3):
            queue_mail("note", about=f"{number}")
        send_due()
        assert [message["Subject"] for message in server.accepted] == ["Note 1: Hello", "Note 2: Hello"]
        left = Mail.objects.get(sent_at=None)
        assert (left.about, left.error) == ("0", "SMTPServerDisconnected: Connection unexpectedly closed")
        with at(left.next_try_at):
            send_due()
        assert [message["Subject"] for message in server.accepted][2:] == ["Note 0: Hello"]


class TestTries:
    def test_waits_grow_to_an_hour_and_end_after_three_days(self, notes: Notes, server: MailServer) -> None:
        server.refuses.add("ann@example.com")
        queue_mail("note", about="a")
        moment, waits = now(), []
        while (row := only()).next_try_at is not None:
            with at(max(moment, row.next_try_at)):
                moment = now()
                send_due()
            if (after := only()).next_try_at is not None:
                waits.append((after.next_try_at - moment).total_seconds())
        assert waits[:8] == [30, 60, 120, 240, 480, 960, 1920, 3600]
        assert set(waits[8:]) == {3600}
        assert timedelta(days=2.9) < timedelta(seconds=sum(waits)) < timedelta(days=3.2)
        assert (only().status, only().attempts) == ("failed", leases.MOST_ATTEMPTS)
        assert only().error.startswith("SMTPRecipientsRefused")

    def test_what_cannot_be_rendered_is_shown_and_tried_again(self, notes: Notes) -> None:
        notes.recipient = "no address"
        queue_mail("note", about="a")
        queue_mail("unknown", about="a")
        with capture_logs() as lines:
            send_due()
        assert [line["event"] for line in lines] == ["the email was not rendered"] * 2
        assert {each.kind: (each.status, each.error) for each in Mail.objects.all()} == {
            "note": ("waiting", "It cannot be rendered: ValueError('The recipient is not an email address')"),
            "unknown": ("waiting", "It cannot be rendered: KeyError('unknown')"),
        }
        notes.recipient = "ann@example.com"
        with at(now() + timedelta(minutes=1)):
            send_due()
        assert len(mail.outbox) == 1

    def test_one_that_is_no_longer_needed_ends(self, notes: Notes) -> None:
        notes.gone.add("a")
        queue_mail("note", about="a")
        send_due()
        assert (only().status, mail.outbox, send_due()) == ("not needed", [], 0)

    def test_what_a_renderer_writes_is_undone_if_the_mail_cannot_be_made(
        self, notes: Notes, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def render(about: str, number: int) -> RenderedMail:
            queue_mail("note", about="written")
            return notes.render(about, number)

        monkeypatch.setattr(MAIL_KINDS, "_value", {"note": render})
        notes.recipient = "no address"
        queue_mail("note", about="a")
        send_due()
        assert only().about == "a"

    def test_a_sent_one_cannot_be_due(self, notes: Notes) -> None:
        queue_mail("note", about="a")
        with pytest.raises(IntegrityError), transaction.atomic():
            Mail.objects.update(sent_at=now())

    def test_a_batch_ends_after_its_time_so_that_urgent_ones_overtake(
        self, notes: Notes, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for number in range(3):
            queue_mail("note", about=f"{number}", is_one_of_many=True)
        with monkeypatch.context() as patch:
            patch.setattr(sending, "BATCH_SECONDS", 0.0)
            assert (send_due(), mail.outbox) == (3, [])
        queue_mail("note", about="urgent")
        send_due()
        assert [letter.subject for letter in mail.outbox] == [
            f"Note {name}: Hello" for name in ("urgent", "0", "1", "2")
        ]

    def test_a_sending_is_recorded_although_the_row_is_locked_for_long(
        self, notes: Notes, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        retry, tries = leases.retry_on_conflict, []

        def busy(work: object) -> object:
            tries.append(work)
            if 2 <= len(tries) <= 4:  # the first is the claim
                raise Conflict
            return retry(work)

        monkeypatch.setattr(leases, "retry_on_conflict", busy)
        queue_mail("note", about="a")
        send_due()
        assert (len(tries), only().status) == (5, "sent")


@pytest.mark.django_db(transaction=True)
class TestTwoWorkers:
    def test_each_mail_is_sent_by_one_of_them(self, notes: Notes, server: MailServer) -> None:
        server.on_message = lambda _: time.sleep(0.01)
        for number in range(30):
            queue_mail("note", about=f"{number}")
        at_once(lambda _: send_all(), threads=4)
        subjects = [message["Subject"] for message in server.accepted]
        assert sorted(subjects) == sorted(f"Note {number}: Hello" for number in range(30))
        assert set(Mail.objects.values_list("attempts", flat=True)) == {1}

    def test_a_late_worker_records_nothing_over_its_successor(self, notes: Notes) -> None:
        queue_mail("note", about="a")
        (mail_id,) = leases.due_ids(10)
        late = leases.claim(mail_id)
        assert late is not None
        assert leases.claim(mail_id) is None
        with at(late.next_try_at + timedelta(milliseconds=1)):
            successor = leases.claim(mail_id)
            assert successor is not None
            leases.back_off(late, "too late")
            leases.finish(late, is_sent=False)
            assert (only().status, only().error, only().attempts) == ("waiting", "", 2)
            leases.finish(successor, is_sent=True)
            leases.back_off(late, "too late")
        assert (only().status, only().error) == ("sent", "")

    def test_one_that_is_not_ready_waits_without_an_attempt(self, notes: Notes) -> None:
        notes.until = now() + timedelta(minutes=7)
        queue_mail("note", about="a")
        send_due()
        waiting = only()
        assert (waiting.status, waiting.attempts, waiting.error, waiting.recipient) == ("waiting", 0, "", "")
        assert waiting.next_try_at == notes.until
        assert can_be_sent(waiting)
        with at(notes.until):
            notes.until = None
            send_due()
        assert (only().status, only().attempts) == ("sent", 1)

    def test_an_attachment_arrives_as_it_is(self, notes: Notes, server: MailServer) -> None:
        content = bytes(range(256)) * 300
        notes.attachments = [Attachment("R-1 ä.pdf", content, "application/pdf")]
        queue_mail("note", about="a")
        send_due()
        (received,) = server.accepted
        (file,) = received.iter_attachments()
        assert (file.get_filename(), file.get_content_type()) == ("R-1 ä.pdf", "application/pdf")
        assert file.get_content() == content
        assert received.get_body(("plain",)).get_content().startswith("Hello")

    def test_nor_does_it_move_one_that_its_successor_has_postponed(self, notes: Notes) -> None:
        """Waiting is no attempt, so both claims have the same number."""
        queue_mail("note", about="a")
        late = leases.claim(only().pk)
        assert late is not None
        with at(late.next_try_at):
            successor = leases.claim(late.pk)
            assert successor is not None
            leases.postpone(successor, now() + timedelta(hours=1), recipient="a…", recipient_digest="x")
            waiting = only()
            leases.back_off(late, "too late")
        assert (only().next_try_at, only().error) == (waiting.next_try_at, "")
        assert waiting.attempts == late.attempts
