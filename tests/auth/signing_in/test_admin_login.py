"""The admin site's login: the same door as the API's, in a form."""

from typing import Any

import pytest
from django.test import Client
from django_otp.oath import totp
from django_otp.plugins.otp_totp.models import TOTPDevice
from pytest_django import Settings

from staff.models import User
from tests.auth.conftest import Send, limits
from tests.factories.staff import PASSWORD

LOGIN = "/admin/login/?next=/admin/"


def log_in(client: Client, password: str = PASSWORD, **fields: str) -> Any:
    return client.post(LOGIN, {"username": "Ann@Example.com", "password": password, **fields})


def test_the_form_signs_in_for_site_and_api(user: User, client: Client, send: Send) -> None:
    answer = log_in(client)
    assert (answer.status_code, answer["Location"]) == (302, "/admin/")
    assert client.get("/admin/").status_code == 200
    assert send("GET", "/admin/api-keys").status_code == 200


def test_a_failure_says_no_more_than_the_api_does(user: User, client: Client) -> None:
    answer = log_in(client, "wrong")
    assert answer.status_code == 200
    assert answer.context["form"].non_field_errors() == ["Invalid email or password"]
    assert "connect.sid" not in client.cookies


def test_an_inactive_user_is_refused_alike(user: User, client: Client) -> None:
    User.objects.update(is_active=False)
    assert log_in(client).context["form"].non_field_errors() == ["Invalid email or password"]


def test_the_forms_attempts_count_with_the_apis(user: User, client: Client, send: Send, settings: Settings) -> None:
    settings.THROTTLES = limits(account=2, client=100)
    send("POST", "/auth/user/emailpass", {"email": user.email, "password": "wrong"})
    log_in(client, "wrong")
    assert log_in(client).context["form"].non_field_errors() == ["Too many attempts, try again later"]
    assert "connect.sid" not in client.cookies


def test_a_user_with_a_device_needs_its_code(user: User, client: Client) -> None:
    device = TOTPDevice.objects.create(user=user, name="phone")
    assert "one-time password" in log_in(client).context["form"].non_field_errors()[0]
    assert log_in(client, otp=f"{totp(device.bin_key):06}").status_code == 302


def test_the_page_offers_the_field_for_the_code(db: None, client: Client) -> None:
    assert b'name="otp"' in client.get(LOGIN).content


def test_the_session_id_changes_at_the_login(user: User, client: Client) -> None:
    client.cookies["connect.sid"] = "planted" + "0" * 25
    log_in(client)
    assert client.cookies["connect.sid"].value != "planted" + "0" * 25


@pytest.mark.parametrize("fields", [{}, {"username": "ann@example.com"}, {"password": "x"}, {"username": "a\0b"}])
def test_an_incomplete_form_is_shown_again(user: User, client: Client, fields: dict[str, str]) -> None:
    answer: Any = client.post(LOGIN, fields)
    assert (answer.status_code, answer.context["form"].is_valid()) == (200, False)
