"""What the official dashboard asks for on every screen, of features that this shop lacks."""

import pytest

from tests.contract.callers import NOBODY, Caller, importer
from tests.contract.conftest import admin
from tests.factories.apikeys import secret_key
from tests.factories.staff import UserFactory

pytestmark = pytest.mark.django_db

__all__ = ["admin"]
ANSWERS = {
    "/admin/layouts/configurations?limit=1&fields=id": {
        "layout_configurations": [],
        "count": 0,
        "offset": 0,
        "limit": 0,
    },
    "/admin/layouts/order.details/configuration": {
        "personal_configuration": None,
        "default_configuration": None,
        "active_scope": "default",
    },
    "/admin/search-indexes": {"search_indexes": [], "enabled": False},
}


@pytest.mark.parametrize(("path", "answer"), ANSWERS.items())
def test_there_is_nothing_of_it_for_those_who_may_see_the_store(
    admin: Caller, path: str, answer: dict[str, object]
) -> None:
    got = admin.get(path)
    assert (got.status_code, got.json()) == (200, answer)
    assert importer(secret_key(UserFactory())).get(path).status_code == 403
    assert admin.send("POST", path.partition("?")[0], b"{}").status_code in (404, 405)


def test_nobody_signs_in_by_the_cloud() -> None:
    assert NOBODY.get("/cloud/auth").json() == {"enabled": False}
