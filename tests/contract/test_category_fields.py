"""GET /store/product-categories: which fields are sent."""

from typing import Any

import pytest
from django.http import HttpResponse

from catalog.models import ProductCategory
from kit.values.timestamps import isoformat
from tests.contract.callers import Caller, refusal
from tests.contract.shelves import PATH, outline, stock

pytestmark = pytest.mark.django_db

OWN = "id name description handle rank parent_category_id metadata created_at updated_at deleted_at"
WITHOUT_METADATA = OWN.replace(" metadata", "")
DEFAULTS = f"{OWN} parent_category({OWN}) category_children({OWN})"


@pytest.fixture
def shelf() -> dict[str, ProductCategory]:
    return stock()


def own(category: ProductCategory) -> dict[str, Any]:
    """The category's scalars as the interface writes them."""
    return {
        "id": category.pk,
        "name": category.name,
        "description": category.description,
        "handle": category.handle,
        "rank": category.rank,
        "parent_category_id": category.parent_category_id,
        "metadata": category.metadata,
        "created_at": isoformat(category.created_at),
        "updated_at": isoformat(category.updated_at),
        "deleted_at": None,
    }


def test_the_default_answer_to_the_letter(store: Caller, shelf: dict[str, ProductCategory]) -> None:
    expected = {
        **own(shelf["Fruit"]),
        "parent_category": own(shelf["Food"]),
        "category_children": [own(shelf["Apples"]), own(shelf["Pears"])],
    }
    response = store.get(PATH, "limit=1&offset=1")
    assert response["Content-Type"] == "application/json"
    assert response.json() == {
        "product_categories": [expected],
        "count": 8,
        "estimate_count": 8,
        "offset": 1,
        "limit": 1,
    }
    assert store.get(f"{PATH}/{shelf['Fruit'].pk}").json() == {"product_category": expected}


def test_roots_have_no_parent_and_leaves_an_empty_list(store: Caller, shelf: dict[str, ProductCategory]) -> None:
    food, pears = (store.get(f"{PATH}/{shelf[name].pk}").json()["product_category"] for name in ("Food", "Pears"))
    assert (food["parent_category_id"], food["parent_category"]) == (None, None)
    assert pears["category_children"] == []


def test_metadata_is_sent_as_it_was_stored(store: Caller, shelf: dict[str, ProductCategory]) -> None:
    metadata = {"a": [1, 2.5, None, {"é": "\u2028"}], "b": {}}
    ProductCategory.objects.filter(pk=shelf["Fruit"].pk).update(metadata=metadata)
    assert (
        store.get(f"{PATH}/{shelf['Fruit'].pk}", "fields=metadata").json()["product_category"]["metadata"] == metadata
    )


SELECTED = [
    ("", DEFAULTS),
    ("fields=", "id"),
    ("fields=id", "id"),
    ("fields=name", "id name"),
    ("fields=name,id", "id name"),
    ("fields=name,", "id name"),
    ("fields=,name", "id name"),
    ("fields=name,%20handle", "id name handle"),
    ("fields=name,+handle", "id name handle"),
    ("fields=name,%2Bhandle", "id name handle"),
    ("fields=id,-name", "id name"),
    ("fields=*", DEFAULTS),
    ("fields=,", DEFAULTS),
    ("fields=*name", DEFAULTS),
    ("fields=+name", DEFAULTS),
    ("fields=%2Bname", DEFAULTS),
    ("fields=%2Bparent_category", DEFAULTS),
    ("fields=+parent_category.name", DEFAULTS),
    ("fields=-parent_category", f"{OWN} category_children({OWN})"),
    ("fields=-parent_category,-category_children", OWN),
    ("fields=-*parent_category,-category_children.*", OWN),
    ("fields=-metadata,-category_children", f"{WITHOUT_METADATA} parent_category({OWN})"),
    ("fields=-id", DEFAULTS),
    ("fields=-parent_category.metadata", f"{OWN} parent_category({WITHOUT_METADATA}) category_children({OWN})"),
    ("fields=*category_children", DEFAULTS),
    ("fields=id,*category_children", f"id category_children({OWN})"),
    ("fields=id,category_children.*", f"id category_children({OWN})"),
    ("fields=id,category_children", f"id category_children({OWN})"),
    ("fields=category_children.name", "id category_children(id name)"),
    ("fields=id,name,*parent_category,*category_children", f"id name parent_category({OWN}) category_children({OWN})"),
    ("fields=parent_category.parent_category.id", "id parent_category(id parent_category)"),
    ("fields=category_children.parent_category", "id category_children(id parent_category(id))"),
    ("fields=*category_children.parent_category", f"{DEFAULTS[:-1]} parent_category(id))"),
    ("fields=category_children.parent_category.name", "id category_children(id parent_category(id))"),
    (
        "fields=parent_category.category_children.parent_category.name",
        "id parent_category(id category_children(id parent_category(id)))",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("query", "selected"), SELECTED)
def test_a_selection_is_sent_in_the_order_of_the_resource(
    query: str, selected: str, store: Caller, shelf: dict[str, ProductCategory]
) -> None:
    assert outline(_one(store.get(PATH, f"{query}&limit=1&offset=1"))) == selected
    assert outline(store.get(f"{PATH}/{shelf['Fruit'].pk}", query).json()["product_category"]) == selected


def _one(response: HttpResponse) -> Any:
    assert response.status_code == 200, response.content
    (category,) = response.json()["product_categories"]
    return category


UNKNOWN = [
    ("nope", "nope"),
    ("name,nope,also.nope", "nope, also.nope"),
    ("*nope", "nope"),
    ("-nope", "nope"),
    ("%2Bnope", "nope"),
    ("parent_category.nope", "parent_category.nope"),
    ("name.first", "name.first"),
    ("is_active", "is_active"),
    ("is_internal", "is_internal"),
    ("path", "path"),
    ("mpath", "mpath"),
    ("is_visible", "is_visible"),
    ("category_children.is_visible", "category_children.is_visible"),
    ("parent_category__name", "parent_category__name"),
    ("Name", "Name"),
    ("pk", "pk"),
]


@pytest.mark.parametrize(("fields", "named"), UNKNOWN)
def test_fields_that_the_route_does_not_offer_are_refused_by_name(fields: str, named: str, store: Caller) -> None:
    for path in (PATH, f"{PATH}/nobody"):
        response = store.get(path, f"fields={fields}")
        assert refusal(response) == (400, f"Requested fields [{named}] are not valid")
        assert response.json()["type"] == "invalid_data"


def test_relations_go_four_deep(store: Caller, shelf: dict[str, ProductCategory]) -> None:
    four = "parent_category." * 4
    assert store.get(PATH, f"fields={four}name").status_code == 200
    assert refusal(store.get(PATH, f"fields={four}parent_category.name")) == (
        400,
        f"The following fields expand more than the maximum of 4 allowed relations: {four}parent_category.name",
    )


@pytest.mark.parametrize("query", ["fields[]=id", "fields=id&fields=name", "fields[0]=id", "fields[a]=id"])
def test_fields_are_one_text(query: str, store: Caller) -> None:
    status, message = refusal(store.get(PATH, query))
    assert (status, message[:59]) == (400, "Invalid request: Expected type: 'string' for field 'fields'")


def test_too_many_related_rows_are_refused_naming_the_relation(
    store: Caller, shelf: dict[str, ProductCategory], settings: Any
) -> None:
    settings.MAX_RELATED_ROWS = 6
    assert store.get(PATH, "fields=id,parent_category.rank").status_code == 200
    assert store.get(PATH, "fields=id,category_children.name").status_code == 200
    assert refusal(store.get(PATH, "fields=id,parent_category.rank,category_children.name")) == (
        400,
        "The relation 'category_children' returns more than 6 related rows; request fewer rows or fewer relations",
    )


def test_related_rows_count_as_often_as_they_are_written(
    store: Caller, shelf: dict[str, ProductCategory], settings: Any
) -> None:
    settings.MAX_RELATED_ROWS = 50
    ladder = "parent_category.category_children." * 2
    response = store.get(PATH, f"fields=id,{ladder}id&parent_category_id={shelf['Fruit'].pk}")
    assert response.status_code == 200
    settings.MAX_RELATED_ROWS = 5
    assert "more than 5 related rows" in refusal(store.get(PATH, f"fields=id,{ladder}id"))[1]


def test_locale_is_taken_and_changes_nothing(store: Caller, shelf: dict[str, ProductCategory]) -> None:
    assert store.get(PATH, "locale=de-DE").content == store.get(PATH).content
    assert store.get(PATH, x_medusa_locale="de-DE").content == store.get(PATH).content
