"""The routes of fulfillments, as a warehouse's program and the official SDK call them; and the same in GraphQL."""

from typing import Any

import pytest

from kit.messages.mails.models import Mail
from orders.models import Fulfillment, FulfillmentLabel, Order, OrderAddress
from tests.contract.callers import Caller, invalid, refusal
from tests.contract.conftest import admin
from tests.factories.inventory import StockLocationFactory
from tests.kit.graphql.calls import ask, data, failures
from tests.orders.api.conftest import ProgramWith
from tests.orders.fulfillments.shop import books, kit_of, lines, ordered, pack

pytestmark = pytest.mark.django_db

__all__ = ["admin"]
LABEL = {"tracking_number": "T1", "tracking_url": "https://x.example/t", "label_url": "https://x.example/l"}


@pytest.fixture
def warehouse(program_with: ProgramWith) -> Caller:
    """A program that packs and ships, and may not list orders."""
    return program_with("orders.add_fulfillment", "orders.change_fulfillment")


def path(order: Order, *rest: str) -> str:
    return "/".join((f"/admin/orders/{order.pk}/fulfillments", *rest))


def items(order: Order, *units: int) -> list[dict[str, Any]]:
    return [{"id": line.pk, "quantity": number} for line, number in zip(lines(order), units, strict=True)]


def shown(response: Any) -> dict[str, Any]:
    assert response.status_code == 200, response.content
    found: dict[str, Any] = response.json()["order"]
    return found


def test_pack_ship_and_deliver(warehouse: Caller) -> None:
    order = ordered()
    body = {"items": items(order, 2), "no_notification": True, "metadata": {"shelf": "A"}}
    packed = shown(warehouse.post(path(order), body))
    assert (packed["fulfillment_status"], packed["version"]) == ("partially_fulfilled", 2)
    (fulfillment,) = packed["fulfillments"]
    assert (fulfillment["items"][0]["quantity"], fulfillment["metadata"]) == (2, {"shelf": "A"})
    assert fulfillment["created_by"][:5] == "user_"
    own = fulfillment["id"]
    shipped = shown(warehouse.post(path(order, own, "shipments"), {"items": items(order, 2), "labels": [LABEL]}))
    assert shipped["fulfillment_status"] == "partially_shipped"
    assert [each["tracking_number"] for each in shipped["fulfillments"][0]["labels"]] == ["T1"]
    delivered = shown(warehouse.post(path(order, own, "mark-as-delivered"), {}))
    assert delivered["fulfillment_status"] == "partially_delivered"
    assert delivered["items"][0]["detail"]["delivered_quantity"] == 2
    other = shown(warehouse.post(path(order), {"items": items(order, 3)}))["fulfillments"][1]["id"]
    canceled = shown(warehouse.post(path(order, other, "cancel"), {"no_notification": False}))
    assert canceled["fulfillments"][1]["canceled_at"] is not None
    assert books(order).counters == [(2, 2, 2)]
    assert books(order).stock == [(8, 3)]


def test_a_fulfillment_by_its_own_id(warehouse: Caller) -> None:
    order = ordered()
    first, second = pack(order, 1), pack(order, 1)
    answer = warehouse.post(f"/admin/fulfillments/{first.pk}/shipment", {"labels": [LABEL]}).json()["fulfillment"]
    assert (answer["id"], answer["shipped_at"] is None, answer["order_id"]) == (first.pk, False, order.pk)
    assert [each["label_url"] for each in answer["labels"]] == ["https://x.example/l"]
    answer = warehouse.post(f"/admin/fulfillments/{second.pk}/cancel").json()["fulfillment"]
    assert (answer["id"], answer["canceled_at"] is None) == (second.pk, False)
    assert answer["delivery_address"]["id"] == order.shipping_address_id


@pytest.mark.parametrize(("given", "queued"), [({"no_notification": True}, 0), ({"no_notification": None}, 1), ({}, 1)])
def test_no_mail_about_a_shipment_by_its_own_id(warehouse: Caller, given: dict[str, Any], queued: int) -> None:
    order = ordered()
    by_rest, by_graphql = pack(order, 1), pack(order, 1)
    assert warehouse.post(f"/admin/fulfillments/{by_rest.pk}/shipment", given).status_code == 200
    assert Mail.objects.filter(kind="order_shipped").count() == queued
    mutation = "mutation($id: ID!, $input: LabelsInput) { shipFulfillment(id: $id, input: $input) { __typename } }"
    named = {"noNotification": given["no_notification"]} if given else {}
    data(ask(warehouse, mutation, {"id": by_graphql.pk, "input": named}))
    assert Mail.objects.filter(kind="order_shipped").count() == 2 * queued


def test_an_address_of_its_own(warehouse: Caller) -> None:
    order = ordered()
    address = {"first_name": "Bob", "address_1": "2 Oak", "country_code": "US", "province": "ny"}
    query = "fields=fulfillments.delivery_address.*"
    body = {"items": items(order, 1), "delivery_address": address}
    (fulfillment,) = shown(warehouse.post(path(order), body, query=query))["fulfillments"]
    sent = fulfillment["delivery_address"]
    assert (sent["first_name"], sent["country_code"], sent["province"]) == ("Bob", "us", "us-ny")
    assert sent["id"] != order.shipping_address_id
    for empty in ({}, {"city": None}):
        body = {"items": items(order, 1), "delivery_address": empty}
        fulfillments = shown(warehouse.post(path(order), body, query=query))["fulfillments"]
        assert order.shipping_address_id in [each["delivery_address"]["id"] for each in fulfillments]
    elsewhere = {"items": items(order, 1), "delivery_address": {"city": "Albany", "province": "ny"}}
    addresses = [
        each["delivery_address"] for each in shown(warehouse.post(path(order), elsewhere, query=query))["fulfillments"]
    ]
    assert ("Albany", "us", "us-ny") in [(each["city"], each["country_code"], each["province"]) for each in addresses]
    bad = {"items": items(order, 1), "delivery_address": {"country_code": "zz"}}
    before = OrderAddress.objects.count()
    status, message = refusal(warehouse.post(path(order), bad))
    assert (status, "delivery_address, country_code" in message) == (400, True)
    assert OrderAddress.objects.count() == before


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"items": []}, "No items to fulfill"),
        ({"items": None}, "Invalid request: Expected type: 'array' for field 'items', got: 'null'"),
        ({"shelf": 1}, "Invalid request: Unrecognized fields: 'shelf'"),
        ({"location_id": 5}, "Invalid request: Expected type: 'string' for field 'location_id', got: '5'"),
        ({"no_notification": "no"}, "Invalid request: Expected type: 'boolean' for field 'no_notification', got: 'no'"),
    ],
)
def test_what_cannot_be_packed(warehouse: Caller, change: dict[str, Any], message: str) -> None:
    order = ordered()
    assert refusal(warehouse.post(path(order), {"items": items(order, 1), **change})) == (400, message)
    assert not Fulfillment.objects.exists()


@pytest.mark.parametrize("quantity", [0, -1, 1.5, "1", None, 6, 2**63 - 1])
def test_quantities(warehouse: Caller, quantity: Any) -> None:
    order = ordered()
    (line,) = lines(order)
    response = warehouse.post(path(order), {"items": [{"id": line.pk, "quantity": quantity}]})
    assert response.status_code == 400, response.content
    assert "quantity" in response.json()["message"] or quantity in (6, 2**63 - 1)
    assert not Fulfillment.objects.exists()


def test_rows_that_do_not_exist(warehouse: Caller) -> None:
    order, other = ordered(), ordered()
    made = pack(other, 1)
    for given, noun in (("location_id", "Stock location"), ("shipping_option_id", "Shipping option")):
        response = warehouse.post(path(order), {"items": items(order, 1), given: "x_1"})
        assert refusal(response) == (400, f"{noun} with id: x_1 was not found, given by field '{given}'")
    missing = f"Fulfillment with id: {made.pk} was not found"
    for act in ("cancel", "mark-as-delivered"):
        assert refusal(warehouse.post(path(order, made.pk, act), {})) == (404, missing)
    shipment = {"items": items(other, 1)}
    assert refusal(warehouse.post(path(order, made.pk, "shipments"), shipment)) == (404, missing)
    foreign = warehouse.post(path(order), {"items": items(other, 1)})
    assert refusal(foreign)[1].startswith(f"Items with ids {lines(other)[0].pk} does not exist in order with id")


def test_labels_and_items_of_a_shipment(warehouse: Caller) -> None:
    order = ordered()
    made = pack(order, 2)
    ships = path(order, made.pk, "shipments")
    assert refusal(warehouse.post(ships, {})) == invalid("Field 'items' is required")
    part = {"items": items(order, 1)}
    assert refusal(warehouse.post(ships, part))[1] == (
        "Field 'items' must hold all items of the fulfillment: it ships as a whole"
    )
    bad = {"items": items(order, 2), "labels": [{"tracking_number": "T1", "label_url": "ftp://x"}]}
    assert refusal(warehouse.post(ships, bad)) == (
        400,
        "Value for field 'label_url' must be a URL that begins with http:// or https://",
    )
    assert not FulfillmentLabel.objects.exists()
    assert warehouse.post(f"/admin/fulfillments/{made.pk}/shipment", {"items": []}).status_code == 400


def test_twice_with_one_key_and_twice_without(warehouse: Caller) -> None:
    order = ordered()
    body, key = {"items": items(order, 1)}, {"Idempotency_Key": "pack-4711"}
    first, again = (warehouse.post(path(order), body, **key) for _ in range(2))
    assert (first.content, again["Idempotent-Replayed"]) == (again.content, "true")
    made = Fulfillment.objects.get()
    cancel = path(order, made.pk, "cancel")
    assert warehouse.post(cancel, {}).status_code == 200
    assert refusal(warehouse.post(cancel, {})) == (400, "The fulfillment is already canceled")


def test_each_needs_its_permission(program_with: ProgramWith, erp: Caller) -> None:
    order = ordered()
    made = pack(order, 1)
    packer = program_with("orders.add_fulfillment")
    assert packer.post(path(order), {"items": items(order, 1)}).status_code == 200
    changing = [path(order, made.pk, act) for act in ("cancel", "shipments", "mark-as-delivered")]
    for at in (*changing, f"/admin/fulfillments/{made.pk}/cancel", f"/admin/fulfillments/{made.pk}/shipment"):
        body = {"items": items(order, 1)} if at.endswith("shipments") else {}
        assert refusal(packer.post(at, body)) == (403, "The permission 'orders.change_fulfillment' is required")
    assert refusal(erp.post(path(order), {"items": items(order, 1)})) == (
        403,
        "The permission 'orders.add_fulfillment' is required",
    )


def test_a_kit_takes_its_items_at_the_named_location(warehouse: Caller) -> None:
    place = StockLocationFactory()
    order = ordered((kit_of((2, 9), (1, 9), location=place), 3))
    body = {"items": items(order, 3), "location_id": place.pk}
    (fulfillment,) = shown(warehouse.post(path(order), body))["fulfillments"]
    assert sorted((each["quantity"], each["units"]) for each in fulfillment["items"]) == [(3, 3), (6, 3)]
    assert fulfillment["location_id"] == place.pk


class TestGraphQL:
    def test_pack_ship_and_deliver(self, warehouse: Caller) -> None:
        order = ordered()
        (line,) = lines(order)
        packed = data(
            ask(
                warehouse,
                f"""mutation {{ createOrderFulfillment(id: "{order.pk}", input: {{
                    items: [{{id: "{line.pk}", quantity: 2}}] }}) {{
                    order {{ fulfillmentStatus fulfillments {{ id items {{ units }} }} }} }} }}""",
            )
        )["createOrderFulfillment"]["order"]
        (fulfillment,) = packed["fulfillments"]
        assert (packed["fulfillmentStatus"], fulfillment["items"]) == ("partially_fulfilled", [{"units": 2}])
        own = f'fulfillmentId: "{fulfillment["id"]}"'
        document = f"""mutation {{
            shipOrderFulfillment(id: "{order.pk}", input: {{ {own}, items: [{{id: "{line.pk}", quantity: 2}}],
                labels: [{{trackingNumber: "T1"}}] }}) {{ order {{ fulfillments {{ labels {{ trackingNumber }} }} }} }}
            deliverOrderFulfillment(id: "{order.pk}", input: {{ {own} }}) {{ order {{ fulfillmentStatus }} }}
        }}"""
        assert data(ask(warehouse, document)) == {
            "shipOrderFulfillment": {"order": {"fulfillments": [{"labels": [{"trackingNumber": "T1"}]}]}},
            "deliverOrderFulfillment": {"order": {"fulfillmentStatus": "partially_delivered"}},
        }

    def test_by_their_own_ids(self, warehouse: Caller) -> None:
        order = ordered()
        first, second, third = (pack(order, 1) for _ in range(3))
        document = f"""mutation {{
            shipFulfillment(id: "{first.pk}", input: {{}}) {{ fulfillment {{ id canceledAt }} }}
            cancelFulfillment(id: "{second.pk}") {{ fulfillment {{ id shippedAt }} }}
            cancelOrderFulfillment(id: "{order.pk}", input: {{ fulfillmentId: "{third.pk}" }}) {{
                order {{ fulfillmentStatus }} }}
        }}"""
        assert data(ask(warehouse, document)) == {
            "shipFulfillment": {"fulfillment": {"id": first.pk, "canceledAt": None}},
            "cancelFulfillment": {"fulfillment": {"id": second.pk, "shippedAt": None}},
            "cancelOrderFulfillment": {"order": {"fulfillmentStatus": "partially_shipped"}},
        }

    def test_the_same_refusals(self, warehouse: Caller, erp: Caller) -> None:
        order = ordered()
        document = f'mutation {{ cancelFulfillment(id: "{pack(order, 1).pk}") {{ fulfillment {{ id }} }} }}'
        assert data(ask(warehouse, document))
        ((_, message, extensions),) = failures(ask(warehouse, document))
        assert (message, extensions) == ("The fulfillment is already canceled", {"type": "not_allowed"})
        ((_, message, _),) = failures(ask(erp, document))
        assert message == "The permission 'orders.change_fulfillment' is required"
