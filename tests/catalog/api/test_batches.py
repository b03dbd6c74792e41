"""Batches, restorations and what all routes for programs have in common, on tags and collections."""

from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.db import connection
from django.test.utils import CaptureQueriesContext

from catalog.models import ProductCollection, ProductTag
from kit.values.ids import new_ulid
from tests.contract.callers import Caller, importer, refusal
from tests.contract.conftest import admin
from tests.factories.apikeys import secret_key
from tests.factories.products import ProductCollectionFactory, ProductTagFactory
from tests.factories.staff import UserFactory
from tests.kit.graphql.calls import ask, data

pytestmark = pytest.mark.django_db
PATH = "/admin/product-tags/batch"

__all__ = ["admin"]


def values() -> set[str]:
    return {*ProductTag.objects.filter(deleted_at=None).values_list("value", flat=True)}


def test_rows_are_created_changed_and_deleted(admin: Caller) -> None:
    old, gone = ProductTagFactory(value="old", metadata={"a": 1}), ProductTagFactory(value="gone")
    body = {
        "create": [{"value": "new"}, {"value": "gone"}],  # the deleted one's value is free
        "update": [{"id": old.pk, "value": "Old", "metadata": {"b": 2}}],
        "delete": [gone.pk],
    }
    answer = admin.post(f"{PATH}?fields=value,metadata", body).json()
    assert [one["value"] for one in answer["created"]] == ["new", "gone"]
    assert answer["updated"] == [{"id": old.pk, "value": "Old", "metadata": {"a": 1, "b": 2}}]
    assert answer["deleted"] == {"ids": [gone.pk], "object": "product_tag", "deleted": True}
    assert values() == {"new", "gone", "Old"}
    assert admin.post(PATH, {}).json() == {
        "created": [],
        "updated": [],
        "deleted": {"ids": [], "object": "product_tag", "deleted": True},
    }


def test_all_refused_rows_are_named_and_nothing_is_written(admin: Caller) -> None:
    taken, other = ProductTagFactory(value="taken"), ProductTagFactory(value="other")
    body = {
        "create": [{"value": "new"}, {"value": "taken"}],
        "update": [{"id": other.pk, "value": "taken"}],
    }
    refused = admin.post(PATH, body)
    assert refused.status_code == 422
    assert refused.json()["message"] == (
        "create[1].value: Product tag with value: taken already exists; "
        "update[0].value: Product tag with value: taken already exists"
    )
    for part, rows in (("update", [{"id": "ptag_x", "value": "y"}]), ("delete", ["ptag_x"])):
        status, message = refusal(admin.post(PATH, {"create": [{"value": "new"}], part: rows}))
        assert (status, message) == (400, f"Product tag with id: ptag_x was not found, given by field '{part}'")
    assert values() == {"taken", "other"}
    assert taken.pk != other.pk


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"create": [{"value": "a"}, {"value": "b", "size": 1}]}, "Unrecognized fields: 'create[1].size'"),
        ({"create": [{"value": "a"}, {}]}, "Field 'create[1].value' is required"),
        ({"update": [{"value": "a"}]}, "Field 'update[0].id' is required"),
        ({"update": [{"id": "x", "value": 5}]}, "Expected type: 'string' for field 'update[0].value', got: '5'"),
        ({"remove": []}, "Unrecognized fields: 'remove'"),
        (
            {"create": [{"value": str(number)} for number in range(501)]},
            "A batch can have 500 rows at most, and this one has 501",
        ),
    ],
)
def test_a_malformed_batch_is_refused(admin: Caller, body: dict[str, Any], message: str) -> None:
    assert refusal(admin.post(PATH, body))[0] == 400
    assert message in refusal(admin.post(PATH, body))[1]
    assert values() == set()


def statements(admin: Caller, number: int) -> int:
    changed = [ProductTagFactory().pk for _ in range(number)]
    gone = [ProductTagFactory().pk for _ in range(number)]
    body = {
        "create": [{"value": new_ulid()} for place in range(number)],
        "update": [{"id": key, "value": f"changed {key}"} for key in changed],
        "delete": gone,
    }
    with CaptureQueriesContext(connection) as captured:
        assert admin.post(PATH, body).status_code == 200
    return len(captured)


def test_a_batch_of_90_rows_takes_as_many_statements_as_one_of_three(admin: Caller) -> None:
    statements(admin, 1)  # what is read once
    assert statements(admin, 30) == statements(admin, 1)


def test_a_batch_needs_the_permission_of_each_thing_it_does() -> None:
    tag = ProductTagFactory(value="kept")
    user = UserFactory()
    user.user_permissions.add(Permission.objects.get(codename="change_producttag"))
    caller = importer(secret_key(user))
    assert caller.post(PATH, {"update": [{"id": tag.pk, "value": "Kept"}]}).status_code == 200
    for body in ({"create": [{"value": "new"}]}, {"delete": [tag.pk]}):
        assert refusal(caller.post(PATH, body))[0] == 403
    assert values() == {"Kept"}


def test_a_deleted_row_is_restored_unless_its_value_is_taken(admin: Caller) -> None:
    gone = ProductCollectionFactory(handle="tea")
    assert admin.send("DELETE", f"/admin/collections/{gone.pk}").status_code == 200
    restored = admin.post(f"/admin/collections/{gone.pk}/restore", {})
    assert restored.json()["collection"]["deleted_at"] is None
    assert restored.headers["ETag"]
    status, message = refusal(admin.post(f"/admin/collections/{gone.pk}/restore", {}))
    assert (status, "is not deleted" in message) == (400, True)
    admin.send("DELETE", f"/admin/collections/{gone.pk}")
    ProductCollectionFactory(handle="tea")
    assert admin.post(f"/admin/collections/{gone.pk}/restore", {}).status_code == 422
    assert ProductCollection.objects.get(pk=gone.pk).deleted_at is not None
    assert refusal(admin.post("/admin/collections/pcol_x/restore", {}))[0] == 404


def test_by_graphql(admin: Caller) -> None:
    gone = ProductTagFactory(value="gone")
    batch = """mutation ($delete: [String!]) {
      batchProductTags(input: {create: [{value: "new"}], delete: $delete}) { created updated deleted } }"""
    done = data(ask(admin, batch, {"delete": [gone.pk]}))["batchProductTags"]
    assert done == {"created": [ProductTag.objects.get(value="new").pk], "updated": [], "deleted": [gone.pk]}
    restore = "mutation ($id: ID!) { restoreProductTag(id: $id) { productTag { value } } }"
    assert data(ask(admin, restore, {"id": gone.pk})) == {"restoreProductTag": {"productTag": {"value": "gone"}}}


def test_a_limit_above_the_maximum_is_the_maximum_for_programs(admin: Caller) -> None:
    ProductTagFactory()
    for limit in ("1000", "1001", "9999", "0" * 29 + "9"):
        assert admin.get("/admin/product-tags", f"limit={limit}").json()["limit"] == min(int(limit), 1000)
    for limit in ("-1", "ten", "9" * 31, "9" * 5000):
        assert refusal(admin.get("/admin/product-tags", f"limit={limit}"))[0] == 400


def test_empty_additional_data_says_nothing(admin: Caller) -> None:
    assert admin.post("/admin/product-tags", {"value": "a", "additional_data": {}}).status_code == 200
    for sent in ({"x": 1}, None, []):
        assert (
            "Unrecognized fields: 'additional_data'"
            in refusal(admin.post("/admin/product-tags", {"value": "b", "additional_data": sent}))[1]
        )
    assert values() == {"a"}
