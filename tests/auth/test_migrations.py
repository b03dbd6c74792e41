"""Migrations of sign-in on a shop whose queue is not empty."""

import pytest
from django.core import mail
from django_tasks_db.models import DBTaskResult

from auth.models import PasswordReset
from kit.messages.mails.models import Mail
from kit.messages.mails.sending import send_due
from tests.factories.staff import UserFactory
from tests.plugins.migrating import migrate, migrated_back

pytestmark = [pytest.mark.every(4), pytest.mark.django_db(transaction=True)]
TASK = "commerce.auth.password_reset.send_reset_mail"


def queued(email: str, path: str = TASK, status: str = "READY", **given: str) -> str:
    """A task as the version before has queued it."""
    task = DBTaskResult.objects.create(
        task_path=path,
        status=status,
        args_kwargs={"args": [], "kwargs": {"actor_type": "user", "email": email, **given}},
        backend_name="default",
        run_after="9999-01-01T00:00Z",
    )
    return str(task.pk)


def test_0003_sends_what_was_queued_as_tasks_and_leaves_other_tasks() -> None:
    UserFactory(email="ann@example.com")
    UserFactory(email="bob@example.com")
    with migrated_back("commerce_auth", "0002_known_address"):
        queued("ann@example.com", request_id="request-1")
        queued("bob@example.com")
        done = queued("cid@example.com", status="SUCCESSFUL")
        other = queued("dan@example.com", path="payments.intents.resume")
        migrate("commerce_auth", "0003_password_reset")
        assert {str(pk) for pk in DBTaskResult.objects.values_list("pk", flat=True)} == {done, other}
    requests = dict(PasswordReset.objects.values_list("pk", "email"))
    mails = Mail.objects.filter(kind="password_reset").values_list("about", "request_id")
    assert sorted((requests[about], request_id) for about, request_id in mails) == [
        ("ann@example.com", "request-1"),
        ("bob@example.com", ""),
    ]
    send_due()
    assert sorted(letter.to[0] for letter in mail.outbox) == ["ann@example.com", "bob@example.com"]
