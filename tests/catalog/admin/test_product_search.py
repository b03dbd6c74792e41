"""Searching the list of products: by their search entries, however frequent the word is."""

import pytest
from django.test import Client

from catalog.admin.products import product_search
from catalog.models import Product
from catalog.products.product_editing import details
from kit.domain.actor import SYSTEM
from tests.factories.products import ProductFactory, VariantFactory
from tests.kit.admin.visits import superuser

pytestmark = pytest.mark.django_db


@pytest.fixture(params=["rare", "frequent"])
def client(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Client:
    """Every word counts as rare or as frequent, which are searched in different ways on PostgreSQL."""
    monkeypatch.setattr(product_search, "FREQUENT", 0 if request.param == "frequent" else 5000)
    return superuser()


@pytest.fixture
def teas() -> list[Product]:
    """The oldest first; the last one is deleted."""
    made = [
        ProductFactory(title="Black tea"),
        ProductFactory(title="Green Téa", status="draft"),
        ProductFactory(title="Tea pot", handle="pot"),
        ProductFactory(title="Mug", description="For tea"),
        ProductFactory(title="White tea"),
    ]
    VariantFactory(product=made[3], sku="MUG-1", barcode="4006381333931")
    details.VERBS.delete(actor=SYSTEM, ids=[made[-1].pk])
    ProductFactory(title="Coffee")
    return made


def found(client: Client, query: str) -> tuple[int, list[str]]:
    """The count and the titles, in the order of the list."""
    listed = client.get(f"/admin/catalog/product/?{query}").context["cl"]
    return listed.result_count, [row.title for row in listed.result_list]


@pytest.mark.parametrize(
    ("query", "titles"),
    [
        ("q=tea", ["Tea pot", "Green Téa", "Black tea", "Mug"]),
        ("q=tea&o=2", ["Black tea", "Green Téa", "Mug", "Tea pot"]),
        ("q=tea&status__exact=draft", ["Green Téa"]),
        ("q=tea&deleted=yes", ["White tea"]),
        ("q=TEA+een", ["Green Téa"]),
        ("q=mug-1", ["Mug"]),
        ("q=381333931", ["Mug"]),
        ("q=pot", ["Tea pot"]),
        ("q=cocoa", []),
    ],
)
def test_products_are_found_by_what_staff_see(
    client: Client, teas: list[Product], query: str, titles: list[str]
) -> None:
    assert found(client, query) == (len(titles), titles)


def test_pages_of_a_search(client: Client, teas: list[Product], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("catalog.admin.products.products.ProductAdmin.list_per_page", 3)
    assert found(client, "q=tea") == (4, ["Tea pot", "Green Téa", "Black tea"])
    assert found(client, "q=tea&p=2") == (4, ["Mug"])


def test_pages_of_a_sorted_search(client: Client, teas: list[Product], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("catalog.admin.products.products.ProductAdmin.list_per_page", 3)
    assert found(client, "q=tea&o=-2") == (4, ["Tea pot", "Mug", "Green Téa"])
    assert found(client, "q=tea&o=-2&p=2") == (4, ["Black tea"])


@pytest.mark.parametrize("most", [1, 2, 3])
def test_of_many_the_first_of_the_list_are_ranked(
    client: Client, teas: list[Product], monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    """The list has the newest first: a mug, then what has tea in its title."""
    monkeypatch.setattr("kit.admin.lists.word_search.MOST_RANKED", most)
    monkeypatch.setattr("catalog.admin.products.products.ProductAdmin.list_per_page", 1)
    titles = [found(client, f"q=tea&p={page}")[1] for page in (1, 2, 3, 4)]
    first = {1: ["Mug", "Tea pot", "Green Téa"], 2: ["Tea pot", "Mug", "Green Téa"], 3: ["Tea pot", "Green Téa", "Mug"]}
    assert titles == [[title] for title in (*first[most], "Black tea")]


def test_an_id_finds_only_that_product(client: Client, teas: list[Product]) -> None:
    assert found(client, f"q={teas[0].pk}") == (1, ["Black tea"])


def test_an_action_on_all_that_was_found(client: Client, teas: list[Product]) -> None:
    chosen = {"action": "publish_selected", "select_across": "1", "_selected_action": teas[0].pk, "post": "yes"}
    client.post("/admin/catalog/product/?q=tea&status__exact=draft", chosen)
    assert not Product.objects.filter(status="draft").exists()


def test_pickers_offer_what_is_not_deleted(client: Client, teas: list[Product]) -> None:
    choices = {"app_label": "carts", "model_name": "promotion", "field_name": "products", "term": "tea"}
    answer = client.get("/admin/autocomplete/", choices)
    assert [one["text"] for one in answer.json()["results"]] == ["Tea pot", "Green Téa", "Black tea", "Mug"]
