"""Every layer around a request shows in its response, of a running server and of the test client alike.

Each request is sent twice: the second one takes the shorter way of DirectRoutes, where the route has no variable.
"""

import re
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
import structlog
from django.test import Client
from prometheus_client import CollectorRegistry
from prometheus_client.multiprocess import MultiProcessCollector
from pytest_django import Settings

from tests.concurrency.running_server import RunningServer, Sent, running_server
from tests.factories.apikeys import publishable_key
from tests.factories.customers import CustomerFactory, token_of

Response = tuple[int, Mapping[str, str]]
Send = Callable[[str, str, Mapping[str, str]], Response]
"""Sends method, path and headers; the names of the response's headers are in small letters."""

SHOP, STOREFRONT, OFFICE = "shop.example", "https://store.example", "https://office.example"
PROXIED = {"Host": SHOP, "X-Forwarded-Proto": "https"}
PREFLIGHT = {"Access-Control-Request-Method": "GET"}
COUNTED = "commerce_requests_total"
OWN_ID = re.compile(r"[0-9a-f]{16}-[1-9][0-9]*")
ROUTES = {
    "store": ("GET", "/store/product-categories", STOREFRONT, "store/product-categories"),
    "variable": ("GET", "/store/product-categories/a", STOREFRONT, "store/product-categories/<str:id>"),
    "auth": ("DELETE", "/auth/session", STOREFRONT, "auth/session"),
    "admin": ("GET", "/admin/api-keys", OFFICE, "admin/api-keys"),
    "graphql": ("POST", "/graphql", STOREFRONT, "graphql"),
    "page": ("GET", "/admin/login/", None, "admin/login/"),
}


def has_security_headers(send: Send, method: str, path: str, origin: str | None) -> None:
    for _ in range(2):
        _, headers = send(method, path, PROXIED)
        assert headers["strict-transport-security"] == "max-age=60"
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
        assert headers["cross-origin-opener-policy"] == "same-origin"
        assert int(headers["content-length"]) > 0
        assert ("content-security-policy" in headers) == ("x-frame-options" in headers) == (origin is None)


def is_redirected_to_https(send: Send, method: str, path: str, origin: str | None) -> None:
    for _ in range(2):
        status, headers = send(method, path, {**PROXIED, "X-Forwarded-Proto": "http"})
        assert (status, headers["location"]) == (301, f"https://{SHOP}{path}")


def refuses_other_hosts(send: Send, method: str, path: str, origin: str | None) -> None:
    for _ in range(2):
        assert send(method, path, {**PROXIED, "Host": "other.example"})[0] == 400


def has_an_id(send: Send, method: str, path: str, origin: str | None) -> None:
    for number in range(2):
        assert send(method, path, {**PROXIED, "X-Request-Id": f"mine-{number}"})[1]["x-request-id"] == f"mine-{number}"
        assert OWN_ID.fullmatch(send(method, path, PROXIED)[1]["x-request-id"])


def shares_with_its_pages_alone(send: Send, method: str, path: str, origin: str | None) -> None:
    for _ in range(2):
        for asking in (STOREFRONT, OFFICE, "https://other.example"):
            _, headers = send(method, path, {**PROXIED, "Origin": asking})
            allowed = headers.get("access-control-allow-origin")
            is_shared = asking == origin or (asking == OFFICE and path in ("/auth/session", "/graphql"))
            assert allowed == (asking if is_shared else None)
            assert headers.get("access-control-allow-credentials") == ("true" if is_shared else None)
            assert origin is None or "origin" in headers["vary"].lower()
    if origin is not None:
        status, headers = send("OPTIONS", path, {**PROXIED, "Origin": origin, **PREFLIGHT})
        assert (status, headers["access-control-allow-origin"]) == (200, origin)
        assert "x-publishable-api-key" in headers["access-control-allow-headers"]
        assert "origin" in send(method, path, PROXIED)[1]["vary"].lower()


LAYERS = [has_security_headers, is_redirected_to_https, refuses_other_hosts, has_an_id, shares_with_its_pages_alone]


@pytest.fixture
def send(client: Client, settings: Settings) -> Send:
    """The test client's, of a shop behind a proxy."""
    settings.ALLOWED_HOSTS = [SHOP]
    settings.SECURE_SSL_REDIRECT, settings.SECURE_HSTS_SECONDS = True, 60
    settings.TRUSTED_PROXIES, settings.SECURE_PROXY_SSL_HEADER = 1, ("HTTP_X_FORWARDED_PROTO", "https")
    settings.CORS_ALLOWED_ORIGINS, settings.ADMIN_CORS_ORIGINS = [STOREFRONT], [OFFICE]

    def sent(method: str, path: str, headers: Mapping[str, str]) -> Response:
        response = client.generic(method, path, content_type="application/json", headers=headers)
        client.cookies.clear()
        return response.status_code, {name.lower(): value for name, value in response.headers.items()}

    return sent


@pytest.mark.django_db
@pytest.mark.parametrize("layer", LAYERS)
@pytest.mark.parametrize("name", ROUTES)
def test_each_layer_shows_to_the_test_client(
    send: Send, name: str, layer: Callable[[Send, str, str, str | None], None]
) -> None:
    method, path, origin, _ = ROUTES[name]
    layer(send, method, path, origin)


@pytest.mark.django_db
@pytest.mark.parametrize("name", ROUTES)
def test_each_request_of_the_test_client_is_logged_with_its_route(send: Send, name: str) -> None:
    method, path, _, route = ROUTES[name]
    for number in range(2):
        with structlog.testing.capture_logs(processors=[structlog.contextvars.merge_contextvars]) as lines:
            status, _ = send(method, path, {**PROXIED, "X-Request-Id": f"mine-{number}"})
        logged = lines[-1]
        assert (logged["event"], logged["request_id"], logged["method"]) == ("request", f"mine-{number}", method)
        assert (logged["path"], logged["route"], logged["status"]) == (path, route, status)


@pytest.mark.django_db(transaction=True)
@pytest.mark.once
def test_each_layer_shows_to_clients_of_a_running_server(process_environment: dict[str, str], tmp_path: Path) -> None:
    metrics = tmp_path / "metrics"
    metrics.mkdir()
    environment = {
        **process_environment,
        "ALLOWED_HOSTS": SHOP,
        "SECURE_SSL_REDIRECT": "on",
        "HSTS_SECONDS": "60",
        "TRUSTED_PROXIES": "1",
        "CORS_ORIGINS": STOREFRONT,
        "ADMIN_CORS_ORIGINS": OFFICE,
        "PROMETHEUS_MULTIPROC_DIR": str(metrics),
    }
    log = tmp_path / "server.log"
    with running_server(environment, log=log, headers={}, workers=1) as server:

        def send(method: str, path: str, headers: Mapping[str, str]) -> Response:
            answered = server.send(Sent(path, method=method, headers=headers))
            return answered.status, answered.headers

        for method, path, origin, _ in ROUTES.values():
            for layer in LAYERS:
                layer(send, method, path, origin)
        _signs_in_by_cookie(server)
        assert send("GET", "/health/live", {"Host": "10.0.0.1"})[0] == 200  # a prober has neither name nor https
    lines = re.sub(r"\x1b\[[0-9;]*m", "", log.read_text()).splitlines()
    registry = CollectorRegistry()
    MultiProcessCollector(registry, path=str(metrics))  # type: ignore[no-untyped-call]
    for method, path, _, route in ROUTES.values():
        (first, _) = (line for line in lines if f"path={path} " in line and "request_id=mine-" in line)
        assert f"route={route} " in first.replace("'", "")
        of_route = [sample for family in registry.collect() for sample in family.samples if sample.name == COUNTED]
        counted = [each.value for each in of_route if (each.labels["route"], each.labels["method"]) == (route, method)]
        assert sum(counted) >= 8


def _signs_in_by_cookie(server: RunningServer) -> None:
    """A session is opened without a cookie, is read where one comes, and ends."""
    token, key = token_of(CustomerFactory()), {**PROXIED, "X-Publishable-Api-Key": publishable_key().token}
    opened = server.send(Sent("/auth/session", headers={**PROXIED, "Authorization": f"Bearer {token}"}))
    assert opened.status == 200
    cookie = {**key, "Cookie": opened.headers["set-cookie"].partition(";")[0]}
    read = Sent("/store/customers/me", method="GET", headers=cookie)
    assert [server.send(read).status for _ in range(2)] == [200, 200]
    assert server.send(Sent(read.path, method="GET", headers=key)).status == 401
    assert server.send(Sent("/auth/session", method="DELETE", headers=cookie)).status == 200
    assert server.send(read).status == 401
