"""Inviting staff and accepting the invitation in a real browser."""

from pathlib import Path

import pytest
from django.contrib.auth.models import Group
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from kit.messages.mails.sending import send_due
from kit.messages.mails.tokens import mail_token
from staff.models import Invitation, User
from tests.browser.axe import violations
from tests.browser.chromium import Chromium, Page

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def look(page: Page, picture: Path) -> None:
    """The page can be used on a desk and on a phone, by everyone."""
    for width, height in ((1280, 900), (390, 844)):
        page.shoot(picture.with_stem(f"{picture.stem}-{width}"), width=width, height=height)
        assert page.run("document.documentElement.scrollWidth <= window.innerWidth"), (picture, width)
        assert violations(page) == [], (picture, width)


def test_a_superuser_invites_and_the_person_chooses_a_password(
    page: Page, chromium: Chromium, live_server: LiveServer, tmp_path: Path, settings: Settings
) -> None:
    settings.PUBLIC_URL = live_server.url
    Group.objects.create(name="Warehouse")
    page.open(f"{live_server.url}/admin/staff/invitation/add/")
    look(page, tmp_path / "invite.png")
    page.fill(email="eve@example.com")
    page.run("document.querySelector('[name=groups]').click()")
    page.follow("document.querySelector('[name=_save]').click()")
    look(page, tmp_path / "invited.png")
    send_due()
    token = mail_token("invitation", Invitation.objects.get().pk, 1)
    with chromium.page() as guest:
        guest.open(f"{live_server.url}/admin/invitation/{token}/")
        assert guest.run("location.pathname") == "/admin/invitation/"
        look(guest, tmp_path / "accept.png")
        assert "Password-based" not in guest.text
        guest.fill(first_name="Eve", password1="12345678", password2="12345678")
        guest.follow("document.getElementById('invitation-form').requestSubmit()")
        assert "This password is too common." in guest.text
        assert guest.run("document.querySelector('[name=first_name]').value") == "Eve"
        look(guest, tmp_path / "refused.png")
        guest.fill(password1="staple battery horse", password2="staple battery horse")
        guest.follow("document.getElementById('invitation-form').requestSubmit()")
        assert "Your account is ready." in guest.text
        guest.fill(username="eve@example.com", password="staple battery horse")
        guest.follow("document.getElementById('login-form').requestSubmit()")
        assert "Overview" in guest.text
        assert guest.complaints == []
    assert User.objects.get(email="eve@example.com").groups.get().name == "Warehouse"
    assert page.complaints == []
