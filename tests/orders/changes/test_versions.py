"""The ETag of orders, and changes that name the version which they are about: in If-Match or in the body."""

from typing import Any

import pytest

from orders.models import Order
from tests.contract.callers import Caller, refusal
from tests.contract.conftest import admin
from tests.orders.changes.shop import Edit, goods
from tests.orders.returns.shop import paid

pytestmark = pytest.mark.django_db
__all__ = ["admin"]


@pytest.fixture
def order(db: None) -> Order:
    return paid((goods("mug", 10), 2))


def is_outdated(response: Any, order: Order) -> bool:
    message = f"The order {order.pk} has changed since it was read. Read it again before you change it."
    return (response.status_code, response.json()["message"]) == (409, message)


def test_answers_have_the_version_as_a_strong_etag(order: Order, admin: Caller) -> None:
    path, edit = f"/admin/orders/{order.pk}", Edit(admin, order)
    for route, query in ((path, ""), (path, "fields=email"), (f"{path}/preview", "")):
        assert admin.get(route, query)["ETag"] == '"1"'
    changes: list[tuple[str, Any, str]] = [
        (f"/admin/{edit.path}/items", {"items": [{"variant_id": goods("pin", 1).pk, "quantity": 1}]}, '"1"'),
        (f"/admin/{edit.path}/request", {}, '"1"'),
        (f"/admin/{edit.path}/confirm", {}, '"2"'),
        (path, {"email": "bob@example.com"}, '"3"'),
    ]
    assert [(route, admin.post(route, body)["ETag"]) for route, body, _ in changes] == [
        (route, tag) for route, _, tag in changes
    ]
    assert "ETag" not in admin.get("/admin/orders")


def test_a_dry_run_has_none(order: Order, admin: Caller) -> None:
    tried = admin.post(f"/admin/orders/{order.pk}", {"email": "bob@example.com", "dry_run": True}, If_Match='"1"')
    assert (tried.status_code, "ETag" in tried) == (200, False)


@pytest.mark.parametrize("step", ["request", "confirm", "items", "shipping-method"])
def test_steps_of_an_edit_compare_it(step: str, order: Order, admin: Caller) -> None:
    edit = Edit(admin, order)
    edit.set("mug", 1)
    admin.post(f"/admin/orders/{order.pk}", {"email": "bob@example.com"})
    bodies = {
        "items": {"items": [{"variant_id": goods("pin", 1).pk, "quantity": 1}]},
        "shipping-method": {"shipping_option_id": order.shipping_methods.get().shipping_option_id},
    }
    path, body = f"/admin/{edit.path}/{step}", bodies.get(step, {})
    assert is_outdated(admin.post(path, body, If_Match='"1"'), order)
    assert admin.post(path, body, If_Match='W/"2"').status_code == 200


@pytest.mark.parametrize(("act", "body"), [("", {"email": "eve@example.com"}), ("/cancel", {}), ("/complete", {})])
def test_changes_of_an_order_compare_it(act: str, body: Any, order: Order, admin: Caller) -> None:
    path = f"/admin/orders/{order.pk}"
    admin.post(path, {"email": "bob@example.com"})
    assert is_outdated(admin.post(f"{path}{act}", body, If_Match='"1"'), order)
    order.refresh_from_db()
    assert (order.version, order.email, order.status) == (2, "bob@example.com", "pending")
    body = {**body, "note": "Gift"} if act == "/complete" else body
    assert admin.post(f"{path}{act}", body, If_Match=admin.get(path)["ETag"]).status_code == 200


def test_body_and_header_must_agree(order: Order, admin: Caller) -> None:
    edit = Edit(admin, order)
    edit.set("mug", 1)
    path = f"/admin/{edit.path}/confirm"
    differ = "Invalid request: Field 'version' must be the version in header 'If-Match'"
    for version, tag in ((1, '"2"'), (2, '"1"')):
        assert refusal(admin.post(path, {"version": version}, If_Match=tag)) == (400, differ)
    assert is_outdated(admin.post(path, {"version": 2}, If_Match="*"), order)
    assert admin.post(path, {"version": 1}, If_Match='"1"').status_code == 200


@pytest.mark.parametrize("tag", ["", '""', '"a"', '"-1"', '"1.0"', '"1", "2"', f'"{"9" * 5000}"', '"\u0661"'])
def test_a_header_that_is_no_etag_is_refused(tag: str, order: Order, admin: Caller) -> None:
    response = admin.post(f"/admin/orders/{order.pk}", {"email": "bob@example.com"}, If_Match=tag)
    assert refusal(response) == (400, "Invalid request: Header 'If-Match' must be the ETag of an earlier response")
    order.refresh_from_db()
    assert order.version == 1


def test_an_unknown_order_is_not_found(order: Order, admin: Caller) -> None:
    response = admin.post("/admin/orders/order_1", {"email": "bob@example.com"}, If_Match='"1"')
    assert refusal(response) == refusal(admin.post("/admin/orders/order_1", {"email": "bob@example.com"}))
    assert response.status_code == 404
