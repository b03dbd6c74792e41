"""Emails that were sent as notifications, and lists that Medusa's dashboard asks for and that are empty."""

import pytest

from kit.messages.mails.models import Mail
from tests.contract.callers import Caller, importer, refusal
from tests.contract.conftest import admin
from tests.factories.apikeys import secret_key
from tests.factories.mails import sent_mail
from tests.factories.staff import UserFactory

pytestmark = pytest.mark.django_db

__all__ = ["admin"]


def test_notifications_are_emails_that_were_sent_without_what_they_say(admin: Caller) -> None:
    sent, waiting = sent_mail("password_reset", about="order_secret"), sent_mail(sent_at=None)
    listed = admin.get("/admin/notifications").json()
    assert (listed["count"], b"order_secret" in admin.get("/admin/notifications").content) == (1, False)
    nothing = ("trigger_type", "resource_id", "resource_type", "receiver_id", "original_notification_id", "external_id")
    (shown,) = listed["notifications"]
    assert {name: shown.pop(name) for name in nothing} == dict.fromkeys(nothing)
    assert {name: shown[name] for name in ("id", "to", "channel", "template", "data", "provider_id")} == {
        "id": sent.pk,
        "to": "a…@example.com",
        "channel": "email",
        "template": "password_reset",
        "data": None,
        "provider_id": "email",
    }
    assert admin.get(f"/admin/notifications/{sent.pk}").json()["notification"]["id"] == sent.pk
    assert refusal(admin.get(f"/admin/notifications/{waiting.pk}"))[0] == 404
    assert admin.get("/admin/notifications", "channel=feed").json()["notifications"] == []
    assert Mail.objects.count() == 2


def test_they_have_a_permission_of_their_own() -> None:
    caller = importer(secret_key(UserFactory(permissions=["orders.view_order", "shop.view_store"])))
    assert caller.get("/admin/notifications").status_code == 403


def test_there_are_neither_flags_nor_plugins(admin: Caller) -> None:
    assert admin.get("/admin/feature-flags").json() == {"feature_flags": {}}
    assert admin.get("/admin/plugins").json() == {"plugins": []}
