"""What bulk work does to each order, and what it tells of it."""

from typing import Any

import pytest

from giftcards.verification.verification import discrepancies
from orders.admin.actions import ACTIONS
from orders.managing import cancellation, completion
from orders.managing.bulk import steps
from orders.managing.bulk.job import WORKS
from orders.models import Fulfillment, Order
from payments.errors import PaymentProviderRefused
from payments.models import Payment, PaymentCollection
from payments.movements import capturing
from tests.factories.carts import ebook, sold_variant
from tests.factories.inventory import StockLocationFactory, stock
from tests.factories.payments import authorized_payment
from tests.orders.admin.forms.desk import history
from tests.orders.fulfillments.shop import ordered, pack
from tests.orders.managing.bulk.shop import done
from tests.orders.managing.shop import staff, statuses
from tests.orders.returns.shop import delivered, paid

pytestmark = pytest.mark.django_db(transaction=True)


def units(order: Order) -> list[list[int]]:
    """Of each parcel."""
    parcels = Fulfillment.objects.filter(order=order).order_by("pk")
    return [[item.units for item in parcel.items.order_by("line_item__pk")] for parcel in parcels]


def test_everything_is_packed_where_it_is_reserved_and_what_does_not_ship_apart() -> None:
    berlin, ulm = StockLocationFactory(name="Berlin"), StockLocationFactory(name="Ulm")
    tea, mug, poster = sold_variant(10), sold_variant(20), sold_variant(5)
    download = ebook(8)
    for variant, place, number in ((tea, berlin, 3), (mug, ulm, 2)):
        variant.manage_inventory = True
        variant.save()
        stock(variant, number, location=place)
    order = paid((tea, 3), (mug, 2), (poster, 1), (download, 1))
    assert done("pack", order) == [
        (str(order), "done", "Packed 4 units from Berlin. Packed 2 units from Ulm. Packed 1 unit.")
    ]
    assert units(order) == [[3, 1], [2], [1]]
    assert [message for _, message in history(order)] == [
        "Packed 4 units from Berlin. Packed 2 units from Ulm. Packed 1 unit."
    ]
    assert done("pack", order) == [(str(order), "skipped", "Everything is packed already.")]
    assert units(order) == [[3, 1], [2], [1]]
    assert list(discrepancies()) == []


def test_what_is_left_of_an_order_is_packed() -> None:
    order = paid()
    place = pack(order, 2).location
    assert done("pack", order) == [(str(order), "done", f"Packed 3 units from {place}.")]


def test_a_refused_order_has_the_verbs_message_and_does_not_stop_the_others() -> None:
    canceled, owing, order = paid(), paid(), paid()
    cancellation.cancel(actor=staff(), order_id=canceled.pk)
    Order.objects.filter(pk=owing.pk).update(payment_status="canceled")
    told = done("pack", canceled, owing, order)
    assert told[:2] == [
        (str(canceled), "refused", f"Order with id {canceled} has been canceled."),
        (str(owing), "refused", "The order is not paid: its payment status is canceled"),
    ]
    assert told[2][1] == "done"


def test_what_is_authorized_is_captured_once() -> None:
    order, before = ordered(), ordered()
    done("capture", before)
    amount = f"${order.total:.2f}"
    assert done("capture", order, before) == [
        (str(order), "done", f"Captured {amount}."),
        (str(before), "skipped", "Nothing is left to capture."),
    ]
    assert statuses(order)[1] == "captured"
    assert [message for _, message in history(order)] == [f"Captured {amount}."]


def test_orders_are_completed_and_archived() -> None:
    finished, open_, ended = delivered(), paid(), delivered()
    completion.complete(actor=staff(), order_id=ended.pk)
    assert done("complete", finished, open_, ended) == [
        (str(finished), "done", "Completed."),
        (str(open_), "refused", "The order cannot be completed without a note: not all items are delivered"),
        (str(ended), "skipped", "Completed already."),
    ]
    assert [row[1] for row in done("archive", finished, open_)] == ["done", "refused"]
    assert done("archive", finished) == [(str(finished), "skipped", "Archived already.")]
    assert [message for _, message in history(finished)] == ["Completed.", "Archived."]


def test_each_step_needs_what_its_form_needs() -> None:
    assert {name: {*work.permissions} for name, work in WORKS.items()} == {
        name: {"orders.view_order", *ACTIONS[name].permissions} for name in WORKS
    }


def test_a_refused_payment_neither_stops_nor_hides_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    order, second = ordered(), authorized_payment(2)
    first = Payment.objects.get(collection__order_id=order.pk)
    PaymentCollection.objects.filter(pk=second.collection_id).update(order_id=order.pk, cart=None)

    def refusing(*, payment_id: str, **given: Any) -> None:
        if payment_id in refused:
            raise PaymentProviderRefused("Card expired")
        capturing.capture(payment_id=payment_id, **given)

    refused = [first.pk, second.pk]
    monkeypatch.setattr(steps, "capture", refusing)
    reason = str(PaymentProviderRefused("Card expired").message)
    assert done("capture", order) == [(str(order), "refused", reason)]
    refused.remove(second.pk)
    monkeypatch.setattr(steps, "capturable_amount", lambda payment: 1)  # less than is due by the time of the capture
    text = f"Captured $2.00. Not captured: {reason.rstrip('.')}."
    assert done("capture", order) == [(str(order), "done", text)]
    assert [message for _, message in history(order)] == [text]
