"""A PostgreSQL that takes no more connections: 503 everywhere, as when it cannot be reached."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client

from tests.factories.apikeys import publishable_key

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgresql]
ROLE = "without_connections"
MESSAGE = "The database cannot be reached. You may retry the request with its Idempotency-Key"


@pytest.fixture
def client(transactional_db: None) -> Iterator[Client]:
    """Of a shop whose role may open no connection; its key is valid."""
    made = Client(raise_request_exception=False, headers={"x-publishable-api-key": publishable_key().token})
    user, password = connection.settings_dict["USER"], connection.settings_dict["PASSWORD"]
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE ROLE {ROLE} LOGIN CONNECTION LIMIT 0")
        if password:
            cursor.execute(f"ALTER ROLE {ROLE} PASSWORD %s", [password])
    connection.close()
    connection.settings_dict["USER"] = ROLE
    try:
        yield made
    finally:
        connection.settings_dict["USER"] = user
        with connection.cursor() as cursor:
            cursor.execute(f"DROP ROLE {ROLE}")


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/store/regions"),
        ("POST", "/store/carts"),
        ("POST", "/store/carts/cart_1/complete"),
        ("GET", "/admin/api-keys"),
        ("POST", "/auth/customer/emailpass"),
    ],
)
@pytest.mark.parametrize("key", [None, "a-key"])
def test_rest(client: Client, method: str, path: str, key: str | None) -> None:
    headers: Any = {"idempotency-key": key} if key else {}
    if path.startswith("/admin"):
        headers["authorization"] = f"Bearer sk_{'a' * 64}"
    body = '{"email": "ann@example.com", "password": "x"}' if path.startswith("/auth") else "{}"
    response = client.generic(method, path, body, content_type="application/json", headers=headers)
    assert (response.status_code, response.json()) == (503, {"type": "unavailable", "message": MESSAGE})
    assert response.headers["Retry-After"] == "2"


def test_graphql(client: Client) -> None:
    response = client.post("/graphql", {"query": "{ regions { id } }"}, content_type="application/json")
    assert (response.status_code, response.json()) == (503, {"type": "unavailable", "message": MESSAGE})


@pytest.mark.parametrize(("method", "path"), [("GET", "/admin/"), ("POST", "/admin/login/")])
def test_the_admin_site(client: Client, method: str, path: str) -> None:
    client.cookies[settings.SESSION_COOKIE_NAME] = "a" * 32
    response = client.generic(method, path, "username=a&password=b", content_type="application/x-www-form-urlencoded")
    assert (response.status_code, response.json()) == (503, {"type": "unavailable", "message": MESSAGE})
    assert response.headers["Retry-After"] == "2"


def test_health(client: Client) -> None:
    assert client.get("/health/live").status_code == 200
    assert client.get("/health/ready").status_code == 503
