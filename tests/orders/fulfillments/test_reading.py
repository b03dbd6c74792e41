"""What shoppers see of fulfillments."""

from typing import Any

import pytest

from kit.values.timestamps import isoformat
from orders.fulfillments import cancellation, shipping
from orders.fulfillments.labels import NewLabel
from orders.models import FulfillmentItem, FulfillmentLabel
from tests.architecture.test_query_budgets import know_amounts, statements
from tests.contract.callers import Caller, storefront
from tests.factories.apikeys import publishable_key
from tests.orders.fulfillments.shop import STAFF, lines, ordered, pack

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def store(transactional_db: None) -> Caller:
    return storefront(publishable_key())


def shown(store: Caller, order_id: str, query: str = "") -> dict[str, Any]:
    response = store.get(f"/store/orders/{order_id}", query)
    assert response.status_code == 200, response.content
    found: dict[str, Any] = response.json()["order"]
    return found


def test_the_parcels_of_an_order(store: Caller) -> None:
    order = ordered()
    assert shown(store, order.pk)["fulfillments"] == []
    made = pack(order, 2, metadata={"shelf": "A"})
    label = NewLabel("T1", "https://parcels.example/T1", "https://parcels.example/T1.pdf")
    shipping.ship(actor=STAFF, fulfillment_id=made.pk, labels=[label])
    made.refresh_from_db()
    seen = shown(store, order.pk)
    [line] = lines(order)
    assert seen["fulfillments"] == [
        {
            "id": made.pk,
            "provider_id": "manual_manual",
            "requires_shipping": True,
            "location_id": None,
            "created_by": None,
            "data": None,
            "items": [
                {
                    "id": FulfillmentItem.objects.get().pk,
                    "line_item_id": line.pk,
                    "title": f"{line.title} ({line.variant_title})",
                    "quantity": 2,
                }
            ],
            "labels": [
                {
                    "id": FulfillmentLabel.objects.get().pk,
                    "tracking_number": "T1",
                    "tracking_url": "https://parcels.example/T1",
                    "label_url": None,
                }
            ],
            "packed_at": isoformat(made.packed_at),
            "shipped_at": isoformat(made.shipped_at),
            "delivered_at": None,
            "canceled_at": None,
            "created_at": isoformat(made.created_at),
            "updated_at": isoformat(made.updated_at),
        }
    ]
    assert (seen["payment_status"], seen["fulfillment_status"], seen["version"]) == (
        "authorized",
        "partially_shipped",
        3,
    )
    detail = seen["items"][0]["detail"]
    assert (detail["fulfilled_quantity"], detail["shipped_quantity"], detail["version"]) == (2, 2, 3)


def test_as_storefronts_ask(store: Caller) -> None:
    order = ordered()
    cancellation.cancel(actor=STAFF, fulfillment_id=pack(order, 5).pk)
    pack(order, 1)
    seen = shown(store, order.pk, "fields=id,fulfillment_status,*fulfillments,*fulfillments.labels")
    assert [each["canceled_at"] is None for each in seen["fulfillments"]] == [False, True]
    assert seen["fulfillments"][1]["labels"] == []


def test_an_order_without_fulfillments_costs_no_statement_for_them(store: Caller) -> None:
    order = ordered()
    for query in ("fields=id,*fulfillments", "fields=id"):
        shown(store, order.pk, query)
    know_amounts()
    with statements() as with_them:
        shown(store, order.pk, "fields=id,*fulfillments")
    with statements() as without:
        shown(store, order.pk, "fields=id")
    assert len(with_them) == len(without)
