"""A database that was restarted under a running server costs no request: dead connections are replaced."""

from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client

from staff.models import User
from tests.concurrency.lost_connection import end_this_connection
from tests.factories.apikeys import publishable_key
from tests.factories.staff import UserFactory

pytestmark = [pytest.mark.postgresql, pytest.mark.django_db(transaction=True)]

EMAIL, PASSWORD = "ada@shop.example", "correct horse battery staple"


def store(client: Client) -> int:
    key = publishable_key().token
    end_this_connection()
    return client.get("/store/product-categories", headers={"x-publishable-api-key": key}).status_code


def login(client: Client) -> int:
    User.objects.create_user(EMAIL, PASSWORD)
    end_this_connection()
    body = {"email": EMAIL, "password": PASSWORD}
    return client.post("/auth/user/emailpass", body, content_type="application/json").status_code


def readiness(client: Client) -> int:
    connection.ensure_connection()
    end_this_connection()
    return client.get("/health/ready").status_code


def page(client: Client) -> int:
    client.force_login(UserFactory(is_superuser=True))
    end_this_connection()
    return client.get("/admin/").status_code


@pytest.mark.parametrize("request_after_restart", [store, login, readiness, page])
def test_the_first_request_after_a_restart_is_answered(
    request_after_restart: Callable[[Client], int], client: Client
) -> None:
    assert request_after_restart(client) == 200
