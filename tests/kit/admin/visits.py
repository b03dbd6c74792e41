"""Visits to the admin site, as the member of staff that a test needs."""

from typing import Any

from django.contrib.admin.models import LogEntry
from django.contrib.messages import get_messages
from django.test import Client

from tests.factories.staff import UserFactory


def visitor(*permissions: str, **fields: Any) -> Client:
    """A browser in which a new member of staff with these permissions has signed in; `user` says who."""
    client = Client()
    client.user = UserFactory(permissions=permissions, **fields)
    client.force_login(client.user)
    return client


def superuser() -> Client:
    return visitor(is_superuser=True)


def reported(answer: Any) -> list[str]:
    """The messages that the answer leaves for the next page."""
    return [str(message) for message in get_messages(answer.wsgi_request)]


def refusals(answer: Any) -> list[str]:
    """What stands above the form that the answer shows again."""
    assert answer.status_code == 200
    return list(answer.context["adminform"].form.non_field_errors())


def history() -> list[tuple[str, int]]:
    """What the site has written down so far: whose name, and 1, 2 or 3 for added, changed, deleted."""
    return list(LogEntry.objects.order_by("pk").values_list("object_repr", "action_flag"))
