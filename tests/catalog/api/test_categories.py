"""Product categories below /admin, as the official SDK calls them."""

import pytest

from catalog.models import ProductCategory
from tests.contract.callers import Caller, refusal
from tests.contract.conftest import admin, store
from tests.factories.catalog import CategoryFactory
from tests.factories.products import ProductFactory
from tests.kit.graphql.calls import ask, data

pytestmark = pytest.mark.django_db

__all__ = ["admin", "store"]
PATH = "/admin/product-categories"
KEYS = {
    *("id", "name", "description", "handle", "is_active", "is_internal", "rank", "external_id", "metadata"),
    *("parent_category_id", "parent_category", "category_children", "created_at", "updated_at", "deleted_at"),
}
"""What the SDK's types require of a category."""


def ranks(parent: str | None = None) -> list[str]:
    rows = ProductCategory.objects.not_deleted().filter(parent_category=parent).order_by("rank")
    assert [row.rank for row in rows] == [*range(len(rows))]
    return [row.name for row in rows]


def test_one_is_made_moved_and_deleted(admin: Caller, store: Caller) -> None:
    tea, coffee = CategoryFactory(name="Tea"), CategoryFactory(name="Coffee")
    body = {"name": "Green tea", "is_internal": True, "is_active": False, "rank": 1, "metadata": {"a": 1}}
    made = admin.post(PATH, body).json()["product_category"]
    assert made == {**made, **body, "handle": "green-tea", "external_id": None, "parent_category": None}
    assert made.keys() >= KEYS
    assert ranks() == ["Tea", "Green tea", "Coffee"]
    one = f"{PATH}/{made['id']}"
    assert refusal(store.get(f"/store/product-categories/{made['id']}"))[0] == 404
    body = {"parent_category_id": tea.pk, "is_internal": False, "is_active": True, "metadata": {"b": 2}}
    moved = admin.post(one, body).json()["product_category"]
    assert (moved["parent_category"]["name"], moved["metadata"]) == ("Tea", {"a": 1, "b": 2})
    assert (ranks(), ranks(tea.pk)) == (["Tea", "Coffee"], ["Green tea"])
    assert "is_active" not in store.get(f"/store/product-categories/{made['id']}").json()["product_category"]
    assert refusal(admin.send("DELETE", f"{PATH}/{tea.pk}"))[0] == 400
    assert admin.post(f"{PATH}/{coffee.pk}", {"rank": 0}).json()["product_category"]["rank"] == 0
    assert ranks() == ["Coffee", "Tea"]
    assert admin.send("DELETE", one).json() == {"id": made["id"], "object": "product_category", "deleted": True}
    assert refusal(admin.post(one, {"name": "Gone"}))[0] == 404


@pytest.mark.parametrize(
    ("body", "status", "word"),
    [
        ({"parent_category_id": "pcat_x"}, 400, "parent_category_id"),
        ({"parent_category_id": ""}, 400, "parent_category_id"),
        ({"rank": -1}, 400, "rank"),
        ({"handle": "a/b"}, 400, "handle"),
        ({"handle": "tea"}, 422, "tea"),
        ({"external_id": "E-1"}, 400, "external_id"),
    ],
)
def test_a_bad_value_changes_nothing(admin: Caller, body: dict[str, object], status: int, word: str) -> None:
    CategoryFactory(name="Tea", handle="tea")
    stored = CategoryFactory(name="Coffee", handle="coffee")
    for path, others in ((PATH, {"name": "Cocoa"}), (f"{PATH}/{stored.pk}", {"name": "Cocoa"})):
        refused = admin.post(path, {**others, **body})
        assert refused.status_code == status
        assert word in refused.json()["message"]
    assert ranks() == ["Tea", "Coffee"]


def test_a_category_is_not_moved_below_itself_and_nothing_else_is_changed(admin: Caller) -> None:
    tea = CategoryFactory(name="Tea")
    green = CategoryFactory(name="Green", parent=tea)
    refused = refusal(admin.post(f"{PATH}/{tea.pk}", {"name": "Teas", "parent_category_id": green.pk}))
    assert (refused[0], "cannot be moved below itself" in refused[1]) == (400, True)
    assert ranks() == ["Tea"]


def test_if_match_refuses_a_category_that_has_changed(admin: Caller) -> None:
    one = f"{PATH}/{CategoryFactory(name='Tea').pk}"
    first = admin.get(one)["ETag"]
    assert admin.send("POST", one, b'{"name": "Teas"}', if_match=first).status_code == 200
    for method, body in (("POST", b'{"name": "Tea"}'), ("DELETE", b"")):
        assert admin.send(method, one, body, if_match=first).status_code == 409
    assert ranks() == ["Teas"]


def test_trees_come_with_the_list_and_with_one(admin: Caller) -> None:
    food = CategoryFactory(name="Food")
    tea = CategoryFactory(name="Tea", parent=food)
    green = CategoryFactory(name="Green", parent=tea, is_internal=True)
    fields = "name,parent_category.name,category_children.name,category_children.is_internal"
    query = f"fields={fields}&include_descendants_tree=true&id={food.pk}"
    [listed] = admin.get(PATH, query).json()["product_categories"]
    [below] = listed["category_children"][0]["category_children"]
    assert below == {"id": green.pk, "name": "Green", "is_internal": True, "category_children": []}
    query = "?fields=name,parent_category.name&include_ancestors_tree=true"
    answered = admin.post(f"{PATH}/{green.pk}{query}", {"name": "Greens"}).json()["product_category"]
    assert answered["parent_category"]["parent_category"]["name"] == "Food"
    [internal] = admin.get(PATH, "is_internal=true&is_active=true").json()["product_categories"]
    assert internal["name"] == "Greens"


def test_products_are_put_into_a_category_and_taken_out(admin: Caller) -> None:
    tea, other = CategoryFactory(), CategoryFactory()
    inside, outside = ProductFactory(categories=[tea, other]), ProductFactory()
    path = f"{PATH}/{tea.pk}/products?fields=products.id"
    answer = admin.post(path, {"add": [outside.pk], "remove": [inside.pk]}).json()["product_category"]
    assert answer["products"] == [{"id": outside.pk}]
    assert [each.pk for each in inside.categories.all()] == [other.pk]
    assert "given by field 'add'" in refusal(admin.post(path, {"add": ["prod_x"], "remove": [outside.pk]}))[1]
    assert outside.categories.get() == tea


def test_by_graphql(admin: Caller) -> None:
    make = 'mutation { createProductCategory(input: { name: "Tea", isInternal: true }) { productCategory { id } } }'
    made = data(ask(admin, make))["createProductCategory"]["productCategory"]
    query = "{ adminProductCategories(isInternal: true) { productCategories { id isActive } } }"
    assert data(ask(admin, query))["adminProductCategories"]["productCategories"] == [{**made, "isActive": True}]
    add = """mutation ($id: ID!, $add: [String!]) { updateProductCategoryProducts(id: $id, input: { add: $add }) {
      productCategory { products { id } } } }"""
    product = ProductFactory()
    changed = data(ask(admin, add, {"id": made["id"], "add": [product.pk]}))["updateProductCategoryProducts"]
    assert changed == {"productCategory": {"products": [{"id": product.pk}]}}
