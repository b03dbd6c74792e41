"""Categories moved within their list: what its script posts."""

import re
from typing import Any

import pytest
from django.test import Client

from catalog.models import ProductCategory
from tests.catalog.trees import faults, outline
from tests.factories.catalog import CategoryFactory
from tests.factories.staff import UserFactory
from tests.kit.admin.test_history import history
from tests.kit.admin.visits import superuser, visitor

pytestmark = pytest.mark.django_db
LIST = "/admin/catalog/productcategory/"


@pytest.fixture
def tree() -> dict[str, ProductCategory]:
    """Shoes (Boots, Sandals, Sneakers) and Hats."""
    shoes, hats = CategoryFactory(name="Shoes"), CategoryFactory(name="Hats")
    below = [CategoryFactory(name=name, parent=shoes) for name in ("Boots", "Sandals", "Sneakers")]
    return {row.name: row for row in (shoes, hats, *below)}


def address(row: ProductCategory) -> str:
    return f"{LIST}{row.pk.replace('_', '_5F')}/move/"


def moved(client: Client, row: ProductCategory, *, parent: str = "", rank: Any = "") -> tuple[int, str]:
    answer = client.post(address(row), {"parent": parent, "rank": rank})
    return answer.status_code, answer.json()["message"]


@pytest.mark.parametrize(
    ("name", "place", "message", "result"),
    [
        ("Sneakers", ("Shoes", 0), "number 1 below Shoes.", ("Shoes Hats", "Sneakers Boots Sandals")),
        ("Boots", ("Shoes", 9), "number 3 below Shoes.", ("Shoes Hats", "Sandals Sneakers Boots")),
        ("Hats", ("Shoes", ""), "number 4 below Shoes.", ("Shoes", "Boots Sandals Sneakers Hats")),
        ("Sandals", ("", 1), "number 2 at the top.", ("Shoes Sandals Hats", "Boots Sneakers")),
    ],
)
def test_it_is_moved_to_a_parent_and_rank(
    tree: dict[str, ProductCategory], name: str, place: tuple[str, object], message: str, result: tuple[str, str]
) -> None:
    parent, rank = place
    parent_id = tree[parent].pk if parent else ""
    assert moved(superuser(), tree[name], parent=parent_id, rank=rank) == (200, f"{name} is now {message}")
    assert (" ".join(outline()), " ".join(outline(tree["Shoes"]))) == result
    assert faults() == []


def test_the_history_says_from_where(tree: dict[str, ProductCategory]) -> None:
    client = superuser()
    moved(client, tree["Sandals"], rank=1)
    moved(client, tree["Sandals"], rank=1)  # changes nothing
    moved(client, tree["Sandals"], rank=0)
    assert history() == ["Changed Parent category (Shoes → none).", "Changed Rank (1 → 0)."]


def test_what_cannot_be_is_refused_with_the_reason(tree: dict[str, ProductCategory]) -> None:
    client = superuser()
    before = outline(), outline(tree["Shoes"])
    assert moved(client, tree["Shoes"], parent=tree["Boots"].pk)[0] == 400
    assert moved(client, tree["Shoes"], parent="pcat_none") == (
        400,
        "Parent category with id: pcat_none was not found",
    )
    for rank in ("-1", "1.5", "many", "٣", "9" * 5000):
        assert moved(client, tree["Boots"], rank=rank) == (400, "The rank must be a whole number.")
    assert (outline(), outline(tree["Shoes"]), history()) == (*before, [])


@pytest.mark.parametrize("key", ["pcat_none", "\0"])
def test_one_that_does_not_exist_is_404(key: str) -> None:
    assert superuser().post(f"{LIST}{key}/move/", {"parent": ""}).status_code == 404


def test_only_who_may_change_categories_moves_them_and_by_post(tree: dict[str, ProductCategory]) -> None:
    viewer = visitor("catalog.view_productcategory")
    assert viewer.post(address(tree["Boots"]), {"rank": 2}).status_code == 403
    assert outline(tree["Shoes"]) == ["Boots", "Sandals", "Sneakers"]
    assert "data-category" not in viewer.get(LIST).content.decode()
    assert superuser().get(address(tree["Boots"])).status_code == 405
    assert Client().post(address(tree["Boots"])).status_code == 302
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(UserFactory(is_superuser=True))
    assert strict.post(address(tree["Boots"]), {"rank": 2}).status_code == 403


def test_the_list_says_where_each_row_is_unless_it_is_narrowed(tree: dict[str, ProductCategory]) -> None:
    client = superuser()
    page = client.get(LIST).content.decode()
    shown = re.findall(r'data-id="(\w+)" data-parent="(\w*)" data-rank="(\d)" data-url="([^"]+)"', page)
    boots = tree["Boots"]
    assert len(shown) == 5
    assert (boots.pk, tree["Shoes"].pk, "0", address(boots)) in shown
    for query in ("?q=boots", "?o=2", "?is_active__exact=1"):
        assert "data-category" not in client.get(f"{LIST}{query}").content.decode()
