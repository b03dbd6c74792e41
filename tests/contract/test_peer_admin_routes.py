"""Medusa's admin routes that this shop lacks and the SDK has no method for: docs/admin-api.md lists them.

peer_admin_routes.txt has all its routes without a method. tests/sdk calls the methods.
"""

import re
from pathlib import Path

import pytest

from tests.contract.callers import importer
from tests.contract.routes import ADMIN
from tests.docs.pages import DOCS, section
from tests.factories.apikeys import secret_key
from tests.factories.staff import UserFactory

PEER = Path(__file__).with_name("peer_admin_routes.txt")
MISSING = sorted(set(PEER.read_text().splitlines()) - ADMIN)


@pytest.mark.once
def test_the_guide_lists_them() -> None:
    listed = re.findall(r"`([A-Z]+ \S+)`", section(DOCS / "admin-api.md", "## The official SDK").partition("\n| ")[0])
    assert sorted(listed) == [route.replace("{}", "{id}") for route in MISSING]


@pytest.mark.once
@pytest.mark.django_db
def test_none_of_them_is_found() -> None:
    caller = importer(secret_key(UserFactory(is_superuser=True)))
    for route in MISSING:
        method, path = route.replace("{}", "x").split()
        assert caller.send(method, path, b"{}" if method == "POST" else b"").status_code in (404, 405), route
