"""Return reasons below /admin, as the official SDK calls them."""

from typing import Any

import pytest

from orders.models import ReturnReason
from tests.contract.callers import Caller, invalid, refusal
from tests.contract.conftest import admin, store
from tests.factories.orders import return_reason
from tests.kit.graphql.calls import ask, data

pytestmark = pytest.mark.django_db

__all__ = ["admin", "store"]
REASONS = "/admin/return-reasons"


def test_one_is_made_changed_and_deleted(admin: Caller, store: Caller) -> None:
    parent = return_reason("size", "Size")
    body = {"value": "too_small", "label": "Too small", "description": "Smaller than described"}
    made = admin.post(REASONS, {**body, "parent_return_reason_id": parent.pk}).json()["return_reason"]
    assert made == {**made, **body, "parent_return_reason_id": parent.pk, "deleted_at": None}
    assert (made["parent_return_reason"]["value"], made["return_reason_children"]) == ("size", [])
    path = f"{REASONS}/{made['id']}"
    changed = admin.post(path, {"label": "Small", "description": None, "metadata": {"a": 1}}).json()["return_reason"]
    assert (changed["label"], changed["description"], changed["value"]) == ("Small", None, "too_small")
    assert ReturnReason.objects.get(pk=made["id"]).metadata == {"a": 1}
    assert store.get(f"/store/return-reasons/{made['id']}").json()["return_reason"]["label"] == "Small"
    assert refusal(admin.send("DELETE", f"{REASONS}/{parent.pk}")) == (
        400,
        "Return reason 'Size' has others below it: delete or move them first",
    )
    assert admin.send("DELETE", path).json() == {"id": made["id"], "object": "return_reason", "deleted": True}
    assert refusal(admin.get(path)) == (404, f"Return reason with id: {made['id']} was not found")
    assert admin.send("DELETE", f"{REASONS}/{parent.pk}").status_code == 200


def test_a_value_is_taken_once(admin: Caller) -> None:
    return_reason("size")
    other = return_reason("colour")
    for path, body in ((REASONS, {"value": "size", "label": "A"}), (f"{REASONS}/{other.pk}", {"value": "size"})):
        answer = admin.post(path, body)
        assert (answer.status_code, answer.json()["type"]) == (422, "duplicate_error")
        assert answer.json()["message"] == "Return reason with value: size already exists"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({}, "Invalid request: Field 'value' is required; Field 'label' is required"),
        ({"value": "", "label": "A"}, "Invalid request: Value for field 'value' must not be empty"),
        (
            {"value": "a", "label": "A", "parent_return_reason_id": "rr_x"},
            "Return reason with id: rr_x was not found, given by field 'parent_return_reason_id'",
        ),
        ({"value": "a", "label": "A", "code": "a"}, invalid("Unrecognized fields: 'code'")[1]),
    ],
)
def test_a_bad_body_makes_none(admin: Caller, body: dict[str, Any], message: str) -> None:
    assert refusal(admin.post(REASONS, body)) == (400, message)
    assert not ReturnReason.objects.exists()


def test_a_deleted_one_is_no_parent(admin: Caller) -> None:
    parent = return_reason("size")
    admin.send("DELETE", f"{REASONS}/{parent.pk}")
    body = {"value": "a", "label": "A", "parent_return_reason_id": parent.pk}
    assert refusal(admin.post(REASONS, body))[0] == 400


def test_by_graphql(admin: Caller) -> None:
    parent = return_reason("size")
    create = """mutation ($parent: String) { createReturnReason(input: {
      value: "a", label: "A", parentReturnReasonId: $parent }) { returnReason { id parentReturnReason { value } } } }"""
    made = data(ask(admin, create.replace("String", "ID"), {"parent": parent.pk}))["createReturnReason"]["returnReason"]
    assert made["parentReturnReason"] == {"value": "size"}
    change = 'mutation ($id: ID!) { updateReturnReason(id: $id, input: {label: "B"}) { returnReason { label } } }'
    assert data(ask(admin, change, {"id": made["id"]})) == {"updateReturnReason": {"returnReason": {"label": "B"}}}
    remove = "mutation ($id: ID!) { deleteReturnReason(id: $id) { object deleted } }"
    assert data(ask(admin, remove, {"id": made["id"]})) == {
        "deleteReturnReason": {"object": "return_reason", "deleted": True}
    }
