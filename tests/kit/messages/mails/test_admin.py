"""The screens of emails: what happened to an email, and sending it again."""

import pytest
from django.core import mail
from django.urls import reverse

from kit.messages.mails.models import Mail
from kit.messages.mails.queueing import queue_mail
from kit.messages.mails.sending import send_due
from tests.kit.admin.visits import history, reported, visitor
from tests.kit.messages.mails.conftest import Notes

pytestmark = [pytest.mark.once, pytest.mark.django_db]
LIST = "/admin/mails/mail/"


def again(row: Mail) -> str:
    return reverse("admin:mails_mail_send_again", args=[row.pk])


@pytest.fixture
def rows(notes: Notes) -> dict[str, Mail]:
    """An email of each status, by its name."""
    notes.gone.add("not needed")
    for about in ("sent", "not needed"):
        queue_mail("note", about=about)
        send_due()
    notes.recipient = "bob@example.com"
    queue_mail("note", about="other")
    send_due()
    notes.recipient = "no address"
    queue_mail("note", about="failed")
    Mail.objects.filter(about="failed").update(attempts=79)  # of 80, which take three days
    send_due()
    queue_mail("note", about="waiting")
    return {row.about: row for row in Mail.objects.all()}


def shown(answer: object) -> set[str]:
    return {row.about for row in answer.context["cl"].result_list}  # type: ignore[attr-defined]


def test_the_list_shows_each_with_its_masked_address_and_error(rows: dict[str, Mail]) -> None:
    client = visitor("mails.view_mail")
    page = client.get(LIST).content.decode()
    assert "a•••@example.com" in page
    assert "ann@example.com" not in page
    assert ">Note<" in page
    assert "The recipient is not an email address" in page
    for status in ("waiting", "sent", "failed", "not needed"):
        found = shown(client.get(LIST, {"status": status}))
        assert found == ({"sent", "other"} if status == "sent" else {status})


def test_a_mail_is_found_by_its_subject_and_by_the_whole_address(rows: dict[str, Mail]) -> None:
    client = visitor("mails.view_mail")
    for term, found in {
        "failed": {"failed"},
        " Ann@Example.com": {"sent"},
        "bob@example.com": {"other"},
        "ann@example": set(),
        rows["sent"].pk: {"sent"},
    }.items():
        assert shown(client.get(LIST, {"q": term})) == found


def test_staff_with_the_permission_send_one_again(rows: dict[str, Mail], notes: Notes) -> None:
    notes.recipient = "ann@example.com"
    client = visitor("mails.view_mail", "mails.add_mail")
    mail.outbox.clear()
    for about in ("sent", "failed"):
        assert b"Send this email again?" in client.post(again(rows[about])).content
        answer = client.post(again(rows[about]), {"post": "yes"})
        assert reported(answer) == ["The email will be sent again."]
    send_due()
    assert [letter.subject for letter in mail.outbox] == [
        f"Note {about}: Hello" for about in ("waiting", "sent", "failed")
    ]
    assert notes.rendered[-2:] == [("sent", 2), ("failed", 2)]
    assert history() == [("note no. 1", 2), ("note no. 1", 2)]


def test_one_that_waits_is_not_sent_again(rows: dict[str, Mail]) -> None:
    client = visitor("mails.view_mail", "mails.add_mail")
    assert reported(client.post(again(rows["waiting"]), {"post": "yes"})) == ["The email has not been sent yet"]
    assert Mail.objects.filter(about="waiting").count() == 1


def test_a_second_click_sends_no_second_mail(rows: dict[str, Mail]) -> None:
    """The page is that of the email that was sent; the one that was queued by the first click waits."""
    client = visitor("mails.view_mail", "mails.add_mail")
    client.post(again(rows["sent"]), {"post": "yes"})
    second = client.post(again(rows["sent"]), {"post": "yes"})
    assert reported(second) == ["The email will be sent again.", "The email has not been sent yet"]
    assert Mail.objects.filter(about="sent").count() == 2
    assert len(history()) == 1


def test_permissions_decide(rows: dict[str, Mail]) -> None:
    assert visitor("mails.add_mail").get(LIST).status_code == 403
    assert visitor("jobs.view_job").get(LIST).status_code == 403
    viewer = visitor("mails.view_mail")
    assert viewer.post(again(rows["sent"]), {"post": "yes"}).status_code == 403
    assert b"Send again" not in viewer.get(f"{LIST}{rows['sent'].pk}/change/").content
    assert Mail.objects.filter(number=2).count() == 0
