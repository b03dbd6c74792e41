"""The routes of returns, in REST and GraphQL: customers can say less than staff, and strangers see nothing."""

from typing import Any

import pytest

from catalog.models import InventoryLevel
from customers.models import Customer
from orders.models import Return, ReturnItem
from orders.returns.creation import ReturnDetails
from tests.contract.callers import Caller, importer, refusal
from tests.contract.callers import invalid as invalid_request
from tests.factories.apikeys import secret_key
from tests.factories.carts import shopper, sold_variant
from tests.factories.orders import return_reason
from tests.factories.staff import UserFactory
from tests.kit.graphql.calls import ask, data, failures
from tests.orders.returns.shop import books, delivered, lines, receive, request

pytestmark = pytest.mark.django_db

STORE = {"items", "id", "order_id", "display_id", "status", "order_version", "note", "requested_at", "received_at"} | {
    *("canceled_at", "metadata", "created_at", "updated_at", "deleted_at")
}
ADMIN = STORE | {
    "location_id",
    "no_notification",
    "internal_note",
    "created_by",
    "refund_amount",
    "exchange_id",
    "claim_id",
}


@pytest.fixture
def staff(db: None) -> Caller:
    return importer(secret_key(UserFactory(is_superuser=True)))


def body(made: Any, quantity: Any = 1, **more: Any) -> dict[str, Any]:
    return {"order_id": made.pk, "items": [{"id": lines(made)[0].pk, "quantity": quantity}], **more}


class TestStore:
    def test_a_guest_requests_a_return(self, guest: Caller) -> None:
        made = delivered()
        reason = return_reason()
        asked = body(made, note="By post")
        asked["items"][0] |= {"reason_id": reason.pk, "note": "Too small"}
        response = guest.post("/store/returns", asked)
        assert response.status_code == 200, response.content
        assert response["Cache-Control"] == "no-store"
        shown = response.json()["return"]
        assert set(shown) == STORE
        assert (shown["order_id"], shown["status"], shown["display_id"], shown["note"]) == (
            made.pk,
            "requested",
            1,
            "By post",
        )
        [item] = shown["items"]
        assert (item["item_id"], item["return_id"], item["quantity"]) == (lines(made)[0].pk, shown["id"], 1)
        assert (item["reason_id"], item["note"], item["received_quantity"], item["damaged_quantity"]) == (
            reason.pk,
            "Too small",
            0,
            0,
        )

    def test_the_selection_counts(self, guest: Caller) -> None:
        made = delivered()
        response = guest.post("/store/returns", body(made), query="fields=status,items.reason.label,items.item.title")
        line = lines(made)[0]
        [item] = ReturnItem.objects.all()
        assert response.json()["return"] == {
            "id": Return.objects.get().pk,
            "status": "requested",
            "items": [{"id": item.pk, "reason": None, "item": {"id": line.pk, "title": line.title}}],
        }
        refused = guest.post("/store/returns", body(made), query="fields=internal_note")
        assert refused.status_code == 400
        assert made.returns.count() == 1

    @pytest.mark.parametrize(
        "name", ["price", "receive_now", "location_id", "internal_note", "no_notification", "metadata"]
    )
    def test_32_what_only_staff_say(self, guest: Caller, name: str) -> None:
        made = delivered()
        refused = guest.post("/store/returns", body(made, **{name: 1}))
        assert refusal(refused) == invalid_request(f"Unrecognized fields: '{name}'")
        assert not Return.objects.exists()

    @pytest.mark.parametrize("quantity", [0, -1, 1.5, "1", None, True])
    def test_31_quantities(self, guest: Caller, quantity: Any) -> None:
        status, message = refusal(guest.post("/store/returns", body(delivered(), quantity)))
        assert (status, "quantity" in message) == (400, True)

    def test_31_too_many_and_unknown(self, guest: Caller) -> None:
        made = delivered()
        row = lines(made)[0]
        line, name = row.pk, f"{row.product_title} ({row.variant_title})"
        allowed = f"more items than what was delivered for item {line} - {name}: 5 can still be returned"
        assert refusal(guest.post("/store/returns", body(made, 6))) == (400, f"Cannot request to return {allowed}")
        foreign = {"order_id": made.pk, "items": [{"id": "ordli_none", "quantity": 1}]}
        assert refusal(guest.post("/store/returns", foreign))[0] == 400
        unknown = {"order_id": made.pk, "items": [{"id": line, "quantity": 1, "reason_id": "rr_none"}]}
        assert refusal(guest.post("/store/returns", unknown)) == (
            400,
            "Return reason with id: rr_none was not found, given by field 'reason_id'",
        )
        assert refusal(guest.post("/store/returns", {"order_id": made.pk, "items": []})) == (
            400,
            "Field 'items' must name at least one item",
        )

    def test_32_strangers(self, ann: Customer, by_ann: Caller, by_bob: Caller, guest: Caller) -> None:
        made = delivered(customer=ann)
        for stranger in (by_bob, guest):
            refused = stranger.post("/store/returns", body(made))
            assert refusal(refused) == (404, f"Order with id: {made.pk} was not found")
        assert by_ann.post("/store/returns", body(made)).status_code == 200

    def test_wrong_order_ids_are_counted(self, guest: Caller, settings: Any) -> None:
        settings.THROTTLES = {**settings.THROTTLES, "client_flood": (2, 60)}
        asked = {"order_id": "order_none", "items": [{"id": "ordli_none", "quantity": 1}]}
        seen = [guest.post("/store/returns", {**asked, "order_id": f"order_{n}"}).status_code for n in range(4)]
        assert seen[:2] == [404, 404]
        assert seen[-1] == 429

    def test_a_repeated_key_requests_once(self, guest: Caller) -> None:
        made = delivered()
        key = "a-key-of-twenty-characters"
        first, second = (guest.post("/store/returns", body(made), Idempotency_Key=key) for _ in range(2))
        assert first.content == second.content
        assert books(made).counters == [(1, 0, 0)]

    def test_in_graphql(self, guest: Caller, ann: Customer) -> None:
        made = delivered((sold_variant(10), 2))
        document = """mutation ($input: ReturnRequestInput!) { requestReturn(input: $input) {
            return { status displayId items { quantity item { title } } } } }"""
        line = lines(made)[0]
        given = {"input": {"orderId": made.pk, "items": [{"id": line.pk, "quantity": 2}]}}
        assert data(ask(guest, document, given)) == {
            "requestReturn": {
                "return": {
                    "status": "requested",
                    "displayId": 1,
                    "items": [{"quantity": 2, "item": {"title": line.title}}],
                }
            }
        }
        foreign = delivered(customer=ann)
        given["input"]["orderId"] = foreign.pk
        assert failures(ask(guest, document, given)) == [
            ("requestReturn", f"Order with id: {foreign.pk} was not found", {"type": "not_found"})
        ]


class TestAdmin:
    def test_as_the_sdk_calls_them(self, staff: Caller) -> None:
        """Begun, filled, changed, requested, received in two parts: initiateRequest … confirmReceive."""
        made = delivered((sold_variant(10, in_stock=9), 3), (sold_variant(20), 2))
        first, second = lines(made)

        def call(path: str, sent: Any = None, method: str = "POST") -> dict[str, Any]:
            response = staff.send(method, f"/admin/returns{path}", sent or {})
            assert response.status_code == 200, response.content
            found: dict[str, Any] = response.json()
            return found

        begun = call("", {"order_id": made.pk, "description": "By phone", "internal_note": "VIP"})["return"]
        assert set(begun) == ADMIN
        assert (begun["status"], begun["note"], begun["internal_note"]) == ("open", "By phone", "VIP")
        path = f"/{begun['id']}"
        items = [{"id": line.pk, "quantity": 1} for line in (first, second)]
        added = call(f"{path}/request-items", {"items": items})["return"]["items"]
        action = {item["item_id"]: item["id"] for item in added}
        call(f"{path}/request-items/{action[first.pk]}", {"quantity": 3, "internal_note": "Worn"})
        call(f"{path}/request-items/{action[second.pk]}", method="DELETE")
        requested = call(f"{path}/request", {"no_notification": True})["return"]
        assert (requested["status"], [item["quantity"] for item in requested["items"]]) == ("requested", [3])
        call(path, {"location_id": _place()})
        call(f"{path}/receive", {"internal_note": "Box is open"})
        call(f"{path}/receive-items", {"items": [{"id": first.pk, "quantity": 1}]})
        counted = call(f"{path}/dismiss-items", {"items": [{"id": first.pk, "quantity": 1}]})["return"]["items"][0]
        assert (counted["arrived_quantity"], counted["arrived_damaged_quantity"]) == (1, 1)
        call(f"{path}/receive", method="DELETE")
        call(f"{path}/receive-items", {"items": [{"id": first.pk, "quantity": 2}]})
        part = call(f"{path}/receive/confirm", {"no_notification": False})["return"]
        assert (part["status"], part["items"][0]["received_quantity"]) == ("partially_received", 2)
        assert books(made) == ([(1, 2, 0), (0, 0, 0)], [8], [2])
        refused = staff.post(f"/admin/returns{path}/cancel", {})
        assert refused.status_code == 400
        assert call("", {"order_id": made.pk})["return"]["display_id"] == 2
        dropped = Return.objects.get(display_id=2).pk
        shown = call(f"/{dropped}", method="GET")
        deleted = {"id": dropped, "object": "return", "deleted": True}
        assert call(f"/{dropped}/request", method="DELETE") == {**deleted, **shown}

    def test_single_counts(self, staff: Caller) -> None:
        """updateReceiveItem, removeReceiveItem, updateDismissItem, removeDismissItem."""
        made = delivered((sold_variant(10, in_stock=9), 3))
        returned = request(made, 3)
        [line], [item] = lines(made), returned.items.all()
        path = f"/admin/returns/{returned.pk}"

        def counts(route: str, sent: Any = None, method: str = "POST") -> tuple[int, int]:
            response = staff.send(method, f"{path}/{route}", sent or {})
            assert response.status_code == 200, response.content
            [shown] = response.json()["return"]["items"]
            return shown["arrived_quantity"], shown["arrived_damaged_quantity"]

        assert counts("receive-items", {"items": [{"id": line.pk, "quantity": 1}]}) == (1, 0)
        assert counts(f"receive-items/{item.pk}", {"quantity": 2}) == (2, 0)
        assert counts(f"dismiss-items/{item.pk}", {"quantity": 1}) == (2, 1)
        for route in ("receive-items", "dismiss-items"):
            refused = staff.post(f"{path}/{route}/{item.pk}", {"quantity": 3})
            assert refusal(refused) == (
                400,
                f"Cannot receive more items than what was requested for item {line.pk}: 3 can still be received",
            )
        assert counts(f"receive-items/{item.pk}", method="DELETE") == (0, 1)
        assert counts(f"dismiss-items/{item.pk}", method="DELETE") == (0, 0)
        other = request(delivered((sold_variant(10), 1)), 1).items.get()
        for method, body in (("POST", {"quantity": 1}), ("DELETE", {})):
            refused = staff.send(method, f"{path}/receive-items/{other.pk}", body)
            assert refusal(refused) == (404, f"Return item with id: {other.pk} was not found")

    def test_the_list_has_the_recorded_fields_and_one_its_items(self, staff: Caller) -> None:
        made = delivered()
        returned = request(made, 1, details=ReturnDetails(internal_note="VIP"))
        response = staff.get("/admin/returns", f"order_id={made.pk}")
        listed = response.json()
        assert set(listed["returns"][0]) == ADMIN
        assert (listed["count"], listed["limit"], listed["returns"][0]["refund_amount"]) == (1, 15, None)
        one = staff.get(f"/admin/returns/{returned.pk}").json()["return"]
        assert set(one) == ADMIN
        assert one["items"][0]["reason"] is None

    def test_staff_see_what_their_permissions_allow(self) -> None:
        returned = request(delivered(), 1)
        for permissions, status in ((["orders.view_order"], 403), (["orders.view_return"], 200)):
            caller = importer(secret_key(UserFactory(permissions=permissions)))
            assert caller.get(f"/admin/returns/{returned.pk}").status_code == status
            assert caller.post(f"/admin/returns/{returned.pk}/cancel", {}).status_code == 403
        changing = importer(secret_key(UserFactory(permissions=["orders.change_return"])))
        assert changing.post(f"/admin/returns/{returned.pk}/cancel", {}).json()["return"]["status"] == "canceled"

    def test_a_return_that_staff_prepare_is_hidden_from_the_store(self, staff: Caller) -> None:
        made = delivered()
        staff.post("/admin/returns", {"order_id": made.pk})
        assert not Return.objects.visible_to(shopper()).exists()
        request(made, 1)
        assert Return.objects.visible_to(shopper()).count() == ReturnItem.objects.count() == 1

    def test_in_graphql(self, staff: Caller) -> None:
        made = delivered()
        line = lines(made)[0].pk
        create = "mutation ($input: RequestedReturnInput!) { createReturn(input: $input) { return { id status } } }"
        given = {"input": {"orderId": made.pk, "items": [{"id": line, "quantity": 3, "internalNote": "Worn"}]}}
        made_return = data(ask(staff, create, given))["createReturn"]["return"]
        assert made_return["status"] == "requested"
        take = """mutation ($id: ID!, $input: ReceiptInput!) { receiveReturn(id: $id, input: $input) {
            return { status items { receivedQuantity damagedQuantity note } } } }"""
        given = {"items": [{"id": line, "quantity": 1, "damagedQuantity": 1}], "locationId": _place()}
        received = data(ask(staff, take, {"id": made_return["id"], "input": given}))["receiveReturn"]["return"]
        assert received == {
            "status": "partially_received",
            "items": [{"receivedQuantity": 1, "damagedQuantity": 1, "note": "Worn"}],
        }
        cancel = "mutation ($id: ID!) { cancelReturn(id: $id) { return { status } } }"
        other = request(made, 1)
        assert data(ask(staff, cancel, {"id": other.pk})) == {"cancelReturn": {"return": {"status": "canceled"}}}
        listed = data(ask(staff, '{ returns(order: "displayId") { returns { displayId status } count } }'))["returns"]
        assert listed["count"] == 2

    def test_a_received_return_shows_when(self, staff: Caller) -> None:
        returned = request(delivered((sold_variant(10), 1)), 1)
        receive(returned, 1)
        shown = staff.get(f"/admin/returns/{returned.pk}", "fields=status,received_at").json()["return"]
        assert (shown["status"], shown["received_at"] is None) == ("received", False)


def _place() -> str:
    return str(InventoryLevel.objects.get().location_id)
