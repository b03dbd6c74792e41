"""The list of categories as a tree whose branches fold."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from catalog.admin.categories.categories import ProductCategoryAdmin
from catalog.models import ProductCategory
from kit.values.timestamps import now
from tests.factories.catalog import CategoryFactory
from tests.kit.admin.visits import superuser

pytestmark = pytest.mark.django_db
LIST = "/admin/catalog/productcategory/"


@pytest.fixture
def tree() -> dict[str, ProductCategory]:
    """Shoes (Boots (Rain boots), Sandals) and Hats."""
    shoes, hats = CategoryFactory(name="Shoes"), CategoryFactory(name="Hats")
    boots, sandals = (CategoryFactory(name=name, parent=shoes) for name in ("Boots", "Sandals"))
    rain = CategoryFactory(name="Rain boots", parent=boots)
    return {row.name: row for row in (shoes, hats, boots, sandals, rain)}


def names(client: Client, address: str = LIST) -> list[str]:
    return [row.name for row in client.get(address).context["cl"].result_list]


def follow(client: Client, act: str, address: str = LIST) -> str:
    """The address of the link of that name."""
    page = client.get(address).content.decode()
    found = re.search(rf'href="([^"#]*)[^>]*aria-label="{act}"', page) or re.search(rf'href="([^"]*)">{act}</a>', page)
    assert found, act
    return LIST + found[1].replace("&amp;", "&")


def test_a_tree_of_one_page_is_unfolded_and_each_branch_folds(tree: dict[str, ProductCategory]) -> None:
    client = superuser()
    assert names(client) == ["Shoes", "Boots", "Rain boots", "Sandals", "Hats"]
    without_boots = follow(client, "Fold Boots")
    assert names(client, without_boots) == ["Shoes", "Boots", "Sandals", "Hats"]
    assert names(client, follow(client, "Fold Shoes", without_boots)) == ["Shoes", "Hats"]
    assert names(client, follow(client, "Unfold Boots", without_boots)) == names(client)


def test_a_larger_tree_is_folded_and_each_branch_unfolds(
    tree: dict[str, ProductCategory], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ProductCategoryAdmin, "list_per_page", 4)
    client = superuser()
    assert names(client) == ["Shoes", "Hats"]
    opened = follow(client, "Unfold Shoes")
    assert names(client, opened) == ["Shoes", "Boots", "Sandals", "Hats"]
    assert names(client, follow(client, "Unfold Boots", opened)) == ["Shoes", "Boots", "Rain boots", "Sandals"]
    assert names(client, follow(client, "Unfold all")) == ["Shoes", "Boots", "Rain boots", "Sandals"]
    assert names(client, follow(client, "Unfold all") + "&p=2") == ["Hats"]
    assert names(client, follow(client, "Fold all", opened)) == ["Shoes", "Hats"]


def test_searches_and_sorted_lists_have_no_folds(tree: dict[str, ProductCategory]) -> None:
    client = superuser()
    for query in ("?q=boots", "?o=2", "?is_active__exact=1"):
        page = client.get(LIST + query)
        assert "aria-expanded" not in page.content.decode()
        assert 'class="fold-links' not in page.content.decode()
    assert sorted(names(client, f"{LIST}?q=boots&closed=")) == ["Boots", "Rain boots"]


def test_an_action_on_all_rows_is_on_those_that_are_shown(tree: dict[str, ProductCategory]) -> None:
    client = superuser()
    chosen = {"action": "delete_selected", "select_across": "1", "_selected_action": [tree["Hats"].pk], "index": "0"}
    asked = client.post(f"{LIST}?open=", chosen)
    assert asked.context["deleted_objects"] == ["Shoes", "Hats"]


@pytest.mark.parametrize("query", ["", "?open="])
def test_what_is_below_a_deleted_row_stands_in_its_place(tree: dict[str, ProductCategory], query: str) -> None:
    """As a shop file may leave it."""
    below = [tree["Boots"].pk, tree["Rain boots"].pk, tree["Sandals"].pk]
    ProductCategory.objects.filter(pk=tree["Shoes"].pk).update(deleted_at=now(), is_visible=False)
    ProductCategory.objects.filter(pk__in=below).update(in_deleted_branch=True, is_visible=False)
    shown = ["Boots", "Sandals", "Hats"] if query else ["Boots", "Rain boots", "Sandals", "Hats"]
    assert sorted(names(superuser(), LIST + query)) == sorted(shown)


@pytest.mark.parametrize(
    "query", ["?open=nothing.at.all", "?open=.", "?closed=%00", "?open=&closed=", "?open=&p=9", "?p=9"]
)
def test_any_address_is_answered(tree: dict[str, ProductCategory], query: str) -> None:
    assert superuser().get(LIST + query).status_code == 200


def test_it_costs_no_more_statements_than_there_are_parts(tree: dict[str, ProductCategory]) -> None:
    """The session, the user, the tree, the number of rows, and those of the page."""
    client = superuser()
    with CaptureQueriesContext(connection) as queries:
        client.get(f"{LIST}?open={tree['Shoes'].pk}")
    assert len(queries) == 5
