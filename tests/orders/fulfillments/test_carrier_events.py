"""POST /hooks/fulfillment/{provider_id}: events of carriers, each once, never moving a status back."""

from collections.abc import Iterator
from typing import Any

import orjson
import pytest

from fulfillment.providers.base import CarrierReport, CarrierStep
from fulfillment.providers.tracked import signed
from orders.fulfillments import cancellation, delivery, shipping
from orders.fulfillments.labels import NewLabel
from orders.models import CarrierEvent, Fulfillment, FulfillmentLabel, Order
from tests.contract.callers import Caller, refusal
from tests.orders.fulfillments.carrier import CARRIER, Carrier, at_work, carried, carried_order
from tests.orders.fulfillments.shop import STAFF, books, events

pytestmark = pytest.mark.django_db(transaction=True)
PATH = f"/hooks/fulfillment/{CARRIER}"
NOT_GENUINE = (400, "The event's signature is invalid")


@pytest.fixture(autouse=True)
def carrier(transactional_db: None, settings: Any) -> Iterator[Carrier]:
    with at_work(settings) as made:
        yield made


@pytest.fixture
def order() -> Order:
    return carried_order()


@pytest.fixture
def made(order: Order) -> Fulfillment:
    return carried(order, 2)[0]


def report(made: Fulfillment, step: str, id: str = "evt_1", **more: Any) -> Any:
    body = orjson.dumps({"id": id, "fulfillment_id": made.pk, "step": step, **more})
    return Caller(x_signature=signed(body)).post(PATH, body)


def test_it_is_shipped_once(order: Order, made: Fulfillment) -> None:
    for _ in range(2):
        response = report(made, "shipped", tracking_number="T1")
        assert (response.status_code, response.json()) == (200, {"status": "ok"})
    assert books(order) == ([(2, 2, 0)], [(8, 3)], "partially_shipped")
    assert events(order)[1:] == [("shipment.created", made.pk)]
    made.refresh_from_db()
    assert (made.marked_shipped_by, FulfillmentLabel.objects.count()) == (None, 1)
    report(made, "delivered", "evt_2")
    assert books(order).counters == [(2, 2, 2)]
    order.refresh_from_db()
    assert order.version == 4


def test_a_late_one_moves_nothing_back(order: Order, made: Fulfillment) -> None:
    report(made, "delivered", "evt_2")
    before = books(order)
    assert before.counters == [(2, 0, 2)]
    report(made, "shipped", "evt_1", tracking_number="T1")
    assert books(order) == before
    assert list(FulfillmentLabel.objects.values_list("tracking_number", flat=True)) == ["T1"]
    assert [name for name, _ in events(order)] == ["order.fulfillment_created", "delivery.created"]


def test_what_staff_have_recorded_already(order: Order, made: Fulfillment) -> None:
    shipping.ship(actor=STAFF, fulfillment_id=made.pk, labels=[NewLabel("T1")])
    delivery.deliver(actor=STAFF, fulfillment_id=made.pk)
    before = books(order)
    for number, step in enumerate(("label", "shipped", "delivered")):
        assert report(made, step, f"evt_{number}", tracking_number="T1").status_code == 200
    assert (books(order), FulfillmentLabel.objects.count()) == (before, 1)


def test_a_canceled_one_stays_so(order: Order, made: Fulfillment) -> None:
    cancellation.cancel(actor=STAFF, fulfillment_id=made.pk)
    before = books(order)
    for number, step in enumerate(("label", "shipped", "delivered")):
        assert report(made, step, f"evt_{number}", tracking_number="T1").status_code == 200
    assert (books(order), FulfillmentLabel.objects.count()) == (before, 0)


def test_only_labels(order: Order, made: Fulfillment) -> None:
    report(made, "label", tracking_number="T1")
    assert books(order).counters == [(2, 0, 0)]
    assert FulfillmentLabel.objects.get().tracking_number == "T1"


def test_what_is_not_genuine(order: Order, made: Fulfillment, settings: Any) -> None:
    body = orjson.dumps({"id": "evt_1", "fulfillment_id": made.pk, "step": "shipped"})
    for caller in (Caller(), Caller(x_signature="forged"), Caller(x_signature=signed(body + b" "))):
        assert refusal(caller.post(PATH, body)) == NOT_GENUINE
    for garbage in (b"{}", b'{"id": "a", "fulfillment_id": "b", "step": "lost"}'):
        assert refusal(Caller(x_signature=signed(garbage)).post(PATH, garbage)) == NOT_GENUINE
    assert refusal(Caller(x_signature=signed(body)).post("/hooks/fulfillment/manual_manual", body)) == NOT_GENUINE
    settings.TRACKED_CARRIER_SECRET = ""
    assert refusal(Caller(x_signature=signed(body)).post(PATH, body)) == NOT_GENUINE
    assert books(order).counters == [(2, 0, 0)]


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (b"id=evt_1&fulfillment_id=%s&step=shipped", "application/x-www-form-urlencoded"),
        (b'[{"id": "evt_1"}, {"fulfillment_id": "%s"}]', "application/json"),
        (b"evt_1 %s shipped", "text/plain; charset=latin-1"),
        (b'--x\r\nContent-Disposition: form-data; name="id"\r\n\r\n%s\r\n--x--', "multipart/form-data; boundary=x"),
    ],
)
def test_the_provider_reads_the_bytes_of_any_format(
    made: Fulfillment, carrier: Carrier, monkeypatch: pytest.MonkeyPatch, body: bytes, content_type: str
) -> None:
    received = []

    def read_event(body: bytes, headers: Any) -> CarrierReport:
        received.append((body, headers["content-type"]))
        return CarrierReport("evt_1", made.pk, CarrierStep.SHIPPED)

    monkeypatch.setattr(carrier, "read_event", read_event)
    sent = body.replace(b"%s", made.pk.encode())
    assert Caller().post(PATH, sent, content_type=content_type).status_code == 200
    assert received == [(sent, content_type)]
    assert books(made.order).counters == [(2, 2, 0)]


@pytest.mark.parametrize("fault", [ValueError("shape"), KeyError("id"), TypeError("int"), RecursionError()])
def test_an_event_that_the_provider_cannot_read(
    order: Order, made: Fulfillment, carrier: Carrier, monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    def read_event(body: bytes, headers: Any) -> CarrierReport:
        raise fault

    monkeypatch.setattr(carrier, "read_event", read_event)
    assert refusal(Caller().post(PATH, b"[]")) == (400, "The event cannot be read")
    assert books(order).counters == [(2, 0, 0)]


def test_an_id_that_no_column_holds(order: Order, made: Fulfillment) -> None:
    refused = refusal(report(made, "shipped", "e" * 256))
    assert refused == (400, "Value for field 'id' too long, expected at most: '255' characters")
    assert refusal(report(made, "shipped", "")) == (400, "Value for field 'id' must not be blank")
    assert books(order).counters == [(2, 0, 0)]
    assert report(made, "shipped", "e" * 255).status_code == 200


def test_what_is_unknown(made: Fulfillment) -> None:
    assert refusal(Caller().post("/hooks/fulfillment/nobody", b"{}")) == (
        404,
        "Fulfillment provider with id: nobody was not found",
    )
    body = orjson.dumps({"id": "evt_1", "fulfillment_id": "ful_none", "step": "shipped"})
    assert Caller(x_signature=signed(body)).post(PATH, body).status_code == 200
    Fulfillment.objects.filter(pk=made.pk).update(provider_id="manual_manual")
    assert report(made, "shipped").status_code == 200
    assert not CarrierEvent.objects.exists()
