"""What an endpoint must say of itself before any request comes."""

import re
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

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
