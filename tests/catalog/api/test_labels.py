"""Product types, tags and collections below /admin, as the official SDK calls them."""

import pytest

from catalog.models import Product, ProductCollection, ProductTag
from tests.contract.callers import Caller, refusal
from tests.contract.conftest import admin, store
from tests.factories.products import ProductCollectionFactory, ProductFactory
from tests.kit.graphql.calls import ask, data

pytestmark = pytest.mark.django_db

__all__ = ["admin", "store"]


@pytest.mark.parametrize(("path", "name"), [("product-types", "product_type"), ("product-tags", "product_tag")])
def test_one_is_made_changed_and_deleted(admin: Caller, store: Caller, path: str, name: str) -> None:
    made = admin.post(f"/admin/{path}", {"value": "Tea", "metadata": {"a": 1, "b": 2}}).json()[name]
    assert made == {**made, "value": "Tea", "metadata": {"a": 1, "b": 2}, "deleted_at": None}
    one = f"/admin/{path}/{made['id']}"
    changed = admin.post(one, {"metadata": {"b": "", "c": 3}}).json()[name]
    assert (changed["value"], changed["metadata"]) == ("Tea", {"a": 1, "c": 3})
    assert store.get(f"/store/{path}/{made['id']}").json()[name]["value"] == "Tea"
    again = admin.post(f"/admin/{path}", {"value": "Tea"})
    assert (again.status_code, again.json()["type"]) == (422, "duplicate_error")
    assert refusal(admin.post(one, {"value": " "}))[0] == 400
    assert admin.send("DELETE", one).json() == {"id": made["id"], "object": name, "deleted": True}
    assert refusal(admin.get(one))[0] == 404
    assert refusal(admin.post(one, {"value": "Teas"}))[0] == 404


def test_if_match_refuses_a_row_that_has_changed(admin: Caller) -> None:
    made = admin.post("/admin/product-types", {"value": "Tea"})
    path, first = f"/admin/product-types/{made.json()['product_type']['id']}", made["ETag"]
    assert first == f'"{made.json()["product_type"]["updated_at"]}"' == admin.get(f"{path}?fields=value")["ETag"]
    changed = admin.send("POST", path, b'{"value": "Teas"}', if_match=f"W/{first}")
    assert (changed.status_code, changed["ETag"] > first) == (200, True)
    for method, body in (("POST", b'{"value": "Coffee"}'), ("DELETE", b"")):
        refused = admin.send(method, path, body, if_match=first)
        assert refused.status_code == 409
        assert "has changed since it was read" in refused.json()["message"]
        assert refusal(admin.send(method, path, body, if_match="1"))[0] == 400
    assert admin.get(path).json()["product_type"]["value"] == "Teas"
    assert admin.send("DELETE", path, b"", if_match=changed["ETag"]).status_code == 200


def test_a_collection_gets_its_handle_from_its_title_and_remembers_an_old_one(admin: Caller) -> None:
    made = admin.post("/admin/collections", {"title": "Green tea"}).json()["collection"]
    assert made["handle"] == "green-tea"
    one = f"/admin/collections/{made['id']}"
    assert admin.post(one, {"handle": "green"}).json()["collection"]["handle"] == "green"
    assert [each.handle for each in ProductCollection.objects.get().former_handles.all()] == ["green-tea"]
    assert refusal(admin.post(one, {"handle": "a/b"}))[0] == 400


def test_a_former_handle_that_cannot_be_stored_is_refused(admin: Caller) -> None:
    for path in ("collections", "products"):
        for handle in ("a" * 256, " "):
            status, message = refusal(admin.post(f"/admin/{path}", {"title": "Tea", "former_handles": [handle]}))
            assert (status, "former_handles" in message) == (400, True)


def test_products_are_put_into_a_collection_and_taken_out(admin: Caller) -> None:
    teas, other = ProductCollectionFactory(), ProductCollectionFactory()
    inside, outside, elsewhere = ProductFactory(collection=teas), ProductFactory(), ProductFactory(collection=other)
    path = f"/admin/collections/{teas.pk}/products"
    body = {"add": [outside.pk, elsewhere.pk], "remove": [inside.pk]}
    answer = admin.post(f"{path}?fields=id,products.id", body).json()["collection"]
    assert {each["id"] for each in answer["products"]} == {outside.pk, elsewhere.pk}
    assert dict(Product.objects.values_list("pk", "collection")) == {
        inside.pk: None,
        outside.pk: teas.pk,
        elsewhere.pk: teas.pk,
    }
    for field in ("add", "remove"):
        refused = admin.post(path, {"add": [inside.pk], field: ["prod_x", inside.pk]})
        assert refusal(refused)[0] == 400
        assert f"given by field '{field}'" in refusal(refused)[1]
    assert Product.objects.get(pk=inside.pk).collection is None
    assert refusal(admin.post("/admin/collections/pcol_x/products", {"add": [inside.pk]}))[0] in (400, 404)
    mutation = """mutation ($id: ID!, $add: [String!]) { updateCollectionProducts(id: $id, input: { add: $add }) {
      collection { products { id } } } }"""
    changed = data(ask(admin, mutation, {"id": other.pk, "add": [inside.pk]}))["updateCollectionProducts"]
    assert changed == {"collection": {"products": [{"id": inside.pk}]}}


def test_by_graphql(admin: Caller) -> None:
    made = data(ask(admin, 'mutation { createProductTag(input: { value: "green" }) { productTag { id value } } }'))
    tag = made["createProductTag"]["productTag"]
    change = """mutation ($id: ID!) { updateProductTag(id: $id, input: { value: "Green" }) { productTag { value } } }"""
    assert data(ask(admin, change, {"id": tag["id"]})) == {"updateProductTag": {"productTag": {"value": "Green"}}}
    assert data(ask(admin, "{ adminProductTags { productTags { value } } }")) == {
        "adminProductTags": {"productTags": [{"value": "Green"}]}
    }
    remove = "mutation ($id: ID!) { deleteProductTag(id: $id) { object deleted } }"
    assert data(ask(admin, remove, {"id": tag["id"]})) == {
        "deleteProductTag": {"object": "product_tag", "deleted": True}
    }
    assert not ProductTag.objects.filter(deleted_at=None).exists()
