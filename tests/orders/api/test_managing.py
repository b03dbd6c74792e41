"""The routes by which programs manage orders, as the official SDK calls them; and the same in GraphQL."""

from typing import Any

import pytest

from orders.models import Order, OrderNote
from tests.contract.callers import Caller, refusal
from tests.contract.conftest import admin
from tests.kit.graphql.calls import ask, data, failures
from tests.orders.api.conftest import ProgramWith
from tests.orders.api.recordings import recorded
from tests.orders.fulfillments.shop import ordered, pack
from tests.orders.managing.shop import history, statuses

pytestmark = pytest.mark.django_db

__all__ = ["admin"]
CHANGING, CANCELING = "orders.change_order", "orders.cancel_order"
ADDING_NOTES, VIEWING_NOTES = "orders.add_ordernote", "orders.view_ordernote"


@pytest.fixture
def order(db: None) -> Order:
    return ordered()


def act(caller: Caller, order: Order, *act: str, body: Any = None) -> Any:
    return caller.post("/".join((f"/admin/orders/{order.pk}", *act)), {} if body is None else body)


def shown(response: Any) -> dict[str, Any]:
    assert response.status_code == 200, response.content
    found: dict[str, Any] = response.json()["order"]
    return found


def test_an_order_is_changed(program_with: ProgramWith, order: Order) -> None:
    erp = program_with(CHANGING)
    body = {"email": "New@example.com", "shipping_address": {"address_1": "2 Oak"}, "metadata": {"erp": 7}}
    changed = shown(erp.post(f"/admin/orders/{order.pk}?fields=email,version,metadata,*shipping_address", body))
    assert (changed["email"], changed["version"], changed["metadata"]) == ("new@example.com", 2, {"erp": 7})
    assert (changed["shipping_address"]["address_1"], changed["shipping_address"]["city"]) == ("2 Oak", "New York")
    assert history(order) == ["Changed email, metadata, shipping address."]
    assert shown(act(erp, order))["version"] == 2
    refused = act(erp, order, body={"shipping_address": {"country_code": "ca"}})
    message = "Country code cannot be changed in field 'shipping_address, country_code'"
    assert refusal(refused) == (400, message)


@pytest.mark.parametrize("name", ["admin_order_cancel", "admin_order_cancel_again"])
def test_canceling_answers_as_the_peer_does(program_with: ProgramWith, order: Order, name: str) -> None:
    shop = program_with(CANCELING)
    response = act(shop, order, "cancel")
    theirs = recorded(name)
    if name == "admin_order_cancel":
        canceled = shown(response)
        assert (canceled["status"], canceled["summary"]["pending_difference"]) == ("canceled", 0)
        assert (theirs["status"], theirs["body"]["order"]["status"]) == (200, "canceled")
        assert (canceled["payment_status"], canceled["fulfillment_status"]) == ("canceled", "canceled")
        return
    again = act(shop, order, "cancel")
    message = theirs["body"]["message"].replace(theirs["request"]["path"].split("/")[3], order.pk)
    assert (again.status_code, again.json()["type"], again.json()["message"]) == (400, "invalid_data", message)


def test_one_key_cancels_once(program_with: ProgramWith, order: Order) -> None:
    shop = program_with(CANCELING)
    path = f"/admin/orders/{order.pk}/cancel"
    first = shop.post(path, {}, Idempotency_Key="cancel-1")
    assert shop.post(path, {}, Idempotency_Key="cancel-1").json() == first.json()
    assert first.json()["order"]["status"] == "canceled"
    assert history(order) == ["Canceled."]


def test_an_order_is_completed_with_a_note_and_archived(program_with: ProgramWith, order: Order) -> None:
    erp = program_with(CHANGING)
    assert refusal(act(erp, order, "complete"))[0] == 400
    assert shown(act(erp, order, "complete", body={"note": "Paid in cash"}))["status"] == "completed"
    assert shown(act(erp, order, "archive"))["status"] == "archived"
    assert OrderNote.objects.get().text == "Paid in cash"
    assert act(erp, order, "archive").status_code == 400


def test_notes_are_added_and_listed(program_with: ProgramWith, order: Order) -> None:
    writer, reader = program_with(ADDING_NOTES), program_with(VIEWING_NOTES)
    for text in ("First", "Second"):
        note = act(writer, order, "notes", body={"text": text}).json()["order_note"]
        assert (note["order_id"], note["text"], note["created_by"][:5]) == (order.pk, text, "user_")
    pack(ordered(), 1)
    listed = reader.get(f"/admin/orders/{order.pk}/notes").json()
    assert ([each["text"] for each in listed["order_notes"]], listed["count"]) == (["First", "Second"], 2)
    assert reader.get("/admin/orders/order_none/notes").status_code == 404
    assert act(writer, order, "notes", body={"text": " "}).status_code == 400
    assert writer.get(f"/admin/orders/{order.pk}/notes").status_code == 403


@pytest.mark.parametrize(
    ("path", "needed"),
    [("", CHANGING), ("complete", CHANGING), ("archive", CHANGING), ("cancel", CANCELING), ("notes", ADDING_NOTES)],
)
def test_each_verb_has_its_permission(program_with: ProgramWith, order: Order, path: str, needed: str) -> None:
    others = {CHANGING, CANCELING, ADDING_NOTES, VIEWING_NOTES, "orders.view_order"} - {needed}
    response = act(program_with(*others), order, *filter(None, [path]), body={"text": "a"} if path == "notes" else {})
    assert (response.status_code, needed in response.json()["message"]) == (403, True)
    assert statuses(order)[0] == "pending"


def test_unknown_orders_and_fields(admin: Caller, order: Order) -> None:
    for verb in ("complete", "archive", "cancel"):
        assert admin.post(f"/admin/orders/order_none/{verb}", {}).status_code == 404
        assert refusal(act(admin, order, verb, body={"force": True}))[0] == 400
    assert admin.post("/admin/orders/order_none", {"email": "a@example.com"}).status_code == 404
    assert act(admin, order, body={"email": None}).status_code == 400
    assert act(admin, order, body={"status": "canceled"}).status_code == 400
    assert statuses(order)[0] == "pending"


def test_graphql(admin: Caller, order: Order) -> None:
    def changed(field: str) -> Any:
        return data(ask(admin, f"mutation {{ {field} {{ order {{ email status }} }} }}"))[field.partition("(")[0]][
            "order"
        ]

    own = f'id: "{order.pk}"'
    assert changed(f'updateOrder({own}, input: {{email: "b@example.com"}})')["email"] == "b@example.com"
    note = f'mutation {{ addOrderNote(input: {{orderId: "{order.pk}", text: "Call"}}) {{ orderNote {{ text }} }} }}'
    assert data(ask(admin, note)) == {"addOrderNote": {"orderNote": {"text": "Call"}}}
    notes = f'{{ orderNotes(orderId: "{order.pk}") {{ orderNotes {{ text }} count }} }}'
    assert data(ask(admin, notes)) == {"orderNotes": {"orderNotes": [{"text": "Call"}], "count": 1}}
    completion = f"mutation {{ completeOrder({own}) {{ order {{ id }} }} }}"
    ((path, message, _),) = failures(ask(admin, completion))
    assert (path, "without a note" in message) == ("completeOrder", True)
    assert changed(f"cancelOrder({own})")["status"] == "canceled"
    assert changed(f"archiveOrder({own})")["status"] == "archived"
    other = ordered()
    finished = changed(f'completeOrder(id: "{other.pk}", input: {{note: "Paid in cash"}})')
    assert finished["status"] == "completed"
