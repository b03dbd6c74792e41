"""Medusa's admin routes that this shop lacks: docs/admin-api.md lists all of them, and none of them answers.

peer_admin_routes.txt has the routes that the official SDK (the version in tests/sdk/package.json) requests, and those
of Medusa's taxes, options of products, gift cards and store credit, for which the SDK has no method.
"""

import re
from pathlib import Path

import pytest
from django.urls import resolve

from kit.rest.viewsets import AdminEndpoint
from tests.contract.callers import Caller, importer, refusal
from tests.contract.routes import ROUTES
from tests.docs.pages import DOCS, section
from tests.factories.apikeys import secret_key
from tests.factories.staff import UserFactory

pytestmark = [pytest.mark.every(6), pytest.mark.once, pytest.mark.django_db]

PEER = Path(__file__).with_name("peer_admin_routes.txt")
READ_AS_IDS = {
    "/admin/inventory-items/export": "Inventory item with id: export was not found",
    "/admin/orders/export": "Order with id: export was not found",
}
"""The last word is taken for the id of a row, which does not exist."""


def peer_routes() -> dict[str, set[str]]:
    """The methods of each path."""
    lines = (line.split(" ") for line in PEER.read_text().splitlines())
    return {path: set(methods.split(",")) for methods, path in lines}


def own_routes() -> dict[str, set[str]]:
    """The same for this shop."""
    return {
        re.sub(r"<str:\w+>", "{}", route.path): {method.upper() for method in route.actions}
        for route in ROUTES
        if issubclass(route.endpoint, AdminEndpoint)
    }


def missing_routes() -> list[tuple[str, str]]:
    """Paths that only Medusa has, with each method, and methods that only Medusa has."""
    own = own_routes()
    return [
        (path, method) for path, methods in peer_routes().items() for method in sorted(methods - own.get(path, set()))
    ]


def address(path: str) -> str:
    return path.replace("{}", "x")


def lacks_only_the_method(path: str, method: str) -> bool:
    """Whether the address is one of this shop's routes, which does not have the method."""
    return method.lower() not in getattr(resolve(address(path)).func, "actions", {method.lower()})


def resource(path: str) -> str:
    return path.split("/")[2]


@pytest.fixture(params=["secret key", "session"])
def staff(request: pytest.FixtureRequest) -> Caller:
    """Someone who may do everything."""
    user = UserFactory(is_superuser=True)
    if request.param == "secret key":
        return importer(secret_key(user))
    caller = Caller()
    caller.client.force_login(user)
    return caller


def test_routes_that_both_have_open_to_these_callers(staff: Caller) -> None:
    assert staff.get("/admin/orders").status_code == 200


@pytest.mark.parametrize(("path", "method"), missing_routes())
def test_a_route_that_only_the_peer_has_is_not_found(staff: Caller, path: str, method: str) -> None:
    response = staff.send(method, address(path), b"{}" if method == "POST" else b"")
    status, message = refusal(response)
    if lacks_only_the_method(path, method):
        assert (status, message, response.json()["type"]) == (405, f'Method "{method}" not allowed.', "not_allowed")
        assert method not in response["Allow"]
    else:
        expected = READ_AS_IDS.get(path, f"Cannot {method} {address(path)}")
        assert (status, message, response.json()["type"]) == (404, expected, "not_found")


@pytest.mark.once
def test_the_guide_lists_them() -> None:
    own = {resource(path) for path in own_routes()}
    not_found = {path for path, method in missing_routes() if not lacks_only_the_method(path, method)}
    not_allowed = {f"{method} {path}" for path, method in missing_routes() if lacks_only_the_method(path, method)}
    whole = {resource(path) for path in not_found} - own
    parts = {path for path in not_found if resource(path) in own}
    listed = re.findall(r"`([^`]+)`", section(DOCS / "admin-api.md", "## What is missing").replace("{id}", "{}"))
    assert sorted(listed) == sorted(whole | parts | not_allowed)
