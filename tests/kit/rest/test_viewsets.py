"""What an endpoint must say of itself before any request comes."""

import gc
import re
import weakref
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.test import RequestFactory

from kit.rest.endpoint import Endpoint
from kit.rest.viewsets import AdminEndpoint


class Shelves(AdminEndpoint):
    permissions = {"list": "shop.view_shelf", "sweep": ""}

    def sweep(self, request: Any) -> dict[str, Any]:
        return {}

    def list(self, request: Any) -> dict[str, Any]:
        return {}


def test_an_admin_route_without_a_permission_cannot_be_made() -> None:
    assert Shelves.as_view({"get": "list"})
    for actions in ({"get": "list", "delete": "empty"}, {"post": "empty"}, {"post": "sweep"}):
        (action,) = set(actions.values()) - {"list"}
        with pytest.raises(ImproperlyConfigured, match=re.escape(f"Shelves names no permission for: {action}")):
            Shelves.as_view(actions)


class Boxes(Endpoint):
    authentication_classes = ()

    def put_in(self, request: Any) -> dict[str, Any]:
        return {}


@pytest.mark.parametrize(("body", "status"), [(b"{}", 200), (b'{"nope": 1}', 400), (b"[[[", 400)])
def test_nothing_of_an_answered_request_is_kept(body: bytes, status: int) -> None:
    """Not even until Python looks for garbage: it would be thousands of bodies by then."""
    view = Boxes.as_view({"post": "put_in"})
    request = RequestFactory().post("/boxes", body, content_type="application/json")
    kept = weakref.ref(request)
    gc.disable()
    try:
        assert view(request).status_code == status
        del request
        assert kept() is None
    finally:
        gc.enable()
