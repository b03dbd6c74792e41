"""Fulfillment providers: asked after the commit, once for each fulfillment."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.db import transaction
from django_tasks_db.models import DBTaskResult

from fulfillment.providers.base import Booking, Declined, ParcelLabel
from fulfillment.providers.by_weight import ByWeight
from fulfillment.providers.manual import Manual
from fulfillment.providers.registry import books_parcels
from kit.values.timestamps import now
from orders.fulfillments import cancellation, shipping
from orders.fulfillments.sending import resume_all, send_request
from orders.models import CarrierRequest, FulfillmentLabel
from tests.orders.fulfillments.carrier import Carrier, at_work, carried, carried_order
from tests.orders.fulfillments.shop import STAFF, books, events, lines, ordered, pack, reserved

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def carrier(transactional_db: None, settings: Any) -> Iterator[Carrier]:
    with at_work(settings) as made:
        yield made


def labels() -> list[str]:
    return list(FulfillmentLabel.objects.order_by("pk").values_list("tracking_number", flat=True))


def later(request: CarrierRequest) -> None:
    """Past its claim, its back-off and the grace for new ones."""
    long_ago = now() - timedelta(hours=1)
    CarrierRequest.objects.filter(pk=request.pk, done_at=None).update(claimed_until=long_ago, created_at=long_ago)


def test_nobody_is_asked_of_parcels_that_staff_hand_over() -> None:
    pack(ordered(), 5)
    assert not CarrierRequest.objects.exists()
    assert (Manual.books_parcels, ByWeight.books_parcels) == (False, False)
    assert (books_parcels("manual_manual"), books_parcels("carrier_gone"), books_parcels(None)) == (False, False, False)


def test_a_parcel_gets_a_label(carrier: Carrier) -> None:
    order = carried_order(data={"tracking_page": "https://parcels.example/{number}"})
    made, request = carried(order, 2)
    assert carrier.asked == []
    queued = DBTaskResult.objects.get(queue_name="carriers")
    assert queued.args_kwargs["kwargs"] == {"request_id": request.pk}
    send_request(request.pk)
    [details] = carrier.booked.values()
    assert (details.fulfillment_id, details.order_number) == (made.pk, f"#{order.display_id}")
    assert details.address["address_1"] == "1 Elm"
    assert details.email == "ann@example.com"
    [line] = lines(order)
    packed = [(item.quantity, item.title) for item in details.items]
    assert packed == [(2, f"{line.title} ({line.variant_title})")]
    [label] = FulfillmentLabel.objects.all()
    assert (label.tracking_url, label.label_url) == (f"https://parcels.example/{label.tracking_number}", None)
    made.refresh_from_db()
    request.refresh_from_db()
    assert (made.data, made.shipped_at) == ({"tracking_number": label.tracking_number}, None)
    assert (request.result, request.attempts) == ("done", 1)
    send_request(request.pk)
    assert resume_all() == []
    assert carrier.asked == [f"create {request.pk}"]


def test_not_inside_a_transaction(carrier: Carrier) -> None:
    _, request = carried(carried_order(), 2)
    with transaction.atomic(), pytest.raises(RuntimeError):
        send_request(request.pk)
    assert carrier.asked == []


def test_refused(carrier: Carrier) -> None:
    order = carried_order()
    before, pieces = books(order), reserved(order)
    made, request = carried(order, 2)
    carrier.says(Declined("The depot is closed"))
    send_request(request.pk)
    made.refresh_from_db()
    request.refresh_from_db()
    assert (made.cancel_reason, made.canceled_at is not None) == ("The depot is closed", True)
    assert (request.result, request.error) == ("refused", "The depot is closed")
    assert (books(order), reserved(order)) == (before, pieces)
    assert events(order)[-1] == ("order.fulfillment_canceled", order.pk)
    later(request)
    assert resume_all() == []
    assert CarrierRequest.objects.count() == 1


def test_refused_after_staff_have_sent_it_another_way(carrier: Carrier) -> None:
    order = carried_order()
    made, request = carried(order, 2)
    shipping.ship(actor=STAFF, fulfillment_id=made.pk)
    carrier.says(Declined(""))
    send_request(request.pk)
    made.refresh_from_db()
    request.refresh_from_db()
    assert (made.canceled_at, request.error) == (None, "The provider gave no reason")
    assert books(order) == ([(2, 2, 0)], [(8, 3)], "partially_shipped")


def test_silent(carrier: Carrier) -> None:
    """It stays packed, and is asked again by the same key."""
    order = carried_order()
    made, request = carried(order, 2)
    carrier.loses_answers()
    send_request(request.pk)
    made.refresh_from_db()
    request.refresh_from_db()
    assert (made.canceled_at, labels()) == (None, [])
    assert (request.done_at, request.error) == (None, "ConnectionError: The answer got lost")
    assert request.claimed_until > now() + timedelta(seconds=100)
    assert (resume_all(), carrier.asked) == ([], [f"create {request.pk}"])
    later(request)
    call_command("resume_fulfillments", verbosity=0)
    assert (carrier.asked, list(carrier.booked)) == ([f"create {request.pk}"] * 2, [request.pk])
    assert len(labels()) == 1


@pytest.mark.parametrize("url", ["javascript:alert(1)", "parcels.example"])
def test_an_answer_that_cannot_be_stored_is_a_failure(
    carrier: Carrier, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, request = carried(carried_order(), 2)
    monkeypatch.setattr(Carrier, "create", lambda *_, **__: Booking([ParcelLabel("T", url)]))
    send_request(request.pk)
    request.refresh_from_db()
    assert (request.done_at, labels()) == (None, [])
    assert request.error.startswith("InvalidData: Value for field 'tracking_url'")


def test_goods_that_need_no_shipping_are_not_booked(carrier: Carrier) -> None:
    order = carried_order()
    line = lines(order)[0]
    line.requires_shipping = False
    line.save()
    pack(order, 1)
    assert not CarrierRequest.objects.exists()


class TestCallingOff:
    def test_what_was_booked(self, carrier: Carrier) -> None:
        made, request = carried(carried_order(), 2)
        send_request(request.pk)
        cancellation.cancel(actor=STAFF, fulfillment_id=made.pk)
        canceling = CarrierRequest.objects.get(act="cancel")
        send_request(canceling.pk)
        [details] = carrier.canceled.values()
        assert details.data == {"tracking_number": labels()[0]}
        canceling.refresh_from_db()
        assert canceling.result == "done"

    def test_what_was_never_asked_for(self, carrier: Carrier) -> None:
        made, request = carried(carried_order(), 2)
        cancellation.cancel(actor=STAFF, fulfillment_id=made.pk)
        send_request(request.pk)
        request.refresh_from_db()
        assert (request.result, carrier.asked) == ("withdrawn", [])
        assert CarrierRequest.objects.count() == 1

    def test_what_may_have_been_booked(self, carrier: Carrier) -> None:
        """The answer got lost: it is called off once no process can be asking for it any more."""
        made, request = carried(carried_order(), 2)
        carrier.loses_answers()
        send_request(request.pk)
        cancellation.cancel(actor=STAFF, fulfillment_id=made.pk)
        canceling = CarrierRequest.objects.get(act="cancel")
        send_request(canceling.pk)
        assert list(carrier.canceled) == []
        later(canceling)
        assert resume_all() == [canceling.pk]
        assert (list(carrier.booked), list(carrier.canceled)) == ([request.pk], [canceling.pk])

    def test_an_answer_that_comes_after_the_cancellation(self, carrier: Carrier) -> None:
        made, request = carried(carried_order(), 2)
        answer = carrier.create

        def cancels_meanwhile(*args: Any, **kwargs: Any) -> Booking:
            cancellation.cancel(actor=STAFF, fulfillment_id=made.pk)
            return answer(*args, **kwargs)

        carrier.create = cancels_meanwhile  # type: ignore[method-assign]
        send_request(request.pk)
        request.refresh_from_db()
        assert (request.result, labels()) == ("withdrawn", [])
        canceling = CarrierRequest.objects.get(act="cancel")
        assert canceling.done_at is None
        later(canceling)
        assert resume_all() == [canceling.pk]
        [details] = carrier.canceled.values()
        assert list(details.data) == ["tracking_number"]  # what the carrier knows the parcel by

    def test_a_refusal_is_kept(self, carrier: Carrier) -> None:
        made, request = carried(carried_order(), 2)
        send_request(request.pk)
        cancellation.cancel(actor=STAFF, fulfillment_id=made.pk)
        carrier.says(Declined("It is on its way"))
        canceling = CarrierRequest.objects.get(act="cancel")
        send_request(canceling.pk)
        canceling.refresh_from_db()
        made.refresh_from_db()
        assert (canceling.result, canceling.error) == ("refused", "It is on its way")
        assert made.cancel_reason is None


class TestTracked:
    """The example provider by itself."""

    def test_places_that_it_does_not_go_to(self, carrier: Carrier) -> None:
        made, request = carried(carried_order(data={"countries": ["gb"]}), 2)
        send_request(request.pk)
        made.refresh_from_db()
        assert made.cancel_reason == "No parcels go to us"
