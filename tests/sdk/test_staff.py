"""Medusa's dashboard lets the invited in: what its pages call, through the official SDK, at the real web server."""

import jwt
import pytest
from django.contrib.auth.models import Group, Permission
from django.core import mail
from django.test import Client

from kit.messages.mails.sending import send_due
from staff.models import User
from tests.concurrency.running_server import RunningServer
from tests.factories.invitations import sent_invitation
from tests.sdk import node

pytestmark = [pytest.mark.once, pytest.mark.django_db(transaction=True), node.needs_sdk]

EMAIL, PASSWORD, NEW_PASSWORD = "eve@example.com", "correct horse battery", "staple battery horse"


def test_the_invited_register_accept_sign_in_and_set_a_new_password(server: RunningServer) -> None:
    editors = Group.objects.create(name="Editors")
    editors.permissions.set(Permission.objects.filter(content_type__app_label="staff", codename="change_user"))
    given = {"EMAIL": EMAIL, "PASSWORD": PASSWORD, "NEW_PASSWORD": NEW_PASSWORD}
    done = node.run("staff.mjs", server, INVITE=sent_invitation(EMAIL, groups=[editors]).token, **given)
    assert {"id", "email", "jti", "iat", "exp"} <= {*done.pop("invite")}
    assert done == {
        "accepted": EMAIL,
        "me": "Eve",
        "permissions": ["staff.change_user"],
        "renamed": "Eva",
        "wrongToken": "401: Invalid token",
        "afterwards": "401: Unauthorized",
    }
    send_due()
    (token,) = [line for sent in mail.outbox for line in sent.body.split() if line.count(".") == 2 and len(line) > 99]
    assert {"entity_id", "provider", "exp", "iat"} <= jwt.decode(token, options={"verify_signature": False}).keys()
    headers = {"Authorization": f"Bearer {token}"}
    answer = Client().post(
        "/auth/user/emailpass/update", {"password": NEW_PASSWORD}, "application/json", headers=headers
    )
    assert answer.json() == {"success": True}
    assert User.objects.get(email=EMAIL).check_password(NEW_PASSWORD)
