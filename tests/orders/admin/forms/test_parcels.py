"""The forms that ship, label, deliver and unpack."""

from typing import Any

import pytest

from orders.admin.actions import action_url
from orders.fulfillments import shipping
from orders.models import Fulfillment, FulfillmentLabel, Order
from tests.orders.admin.forms.desk import act, desk, filled, history, page, refused, send
from tests.orders.fulfillments.shop import STAFF, books, pack
from tests.orders.returns.shop import paid

pytestmark = [pytest.mark.once, pytest.mark.django_db]
FIRST = {"tracking_number_1": "T-1", "tracking_url_1": "https://parcels.example/T-1"}


@pytest.fixture
def parcel() -> Fulfillment:
    """All five units of an order."""
    return pack(paid(), 5)


def labels() -> list[tuple[str, str | None]]:
    return list(FulfillmentLabel.objects.order_by("pk").values_list("tracking_number", "tracking_url"))


def test_it_ships_once_with_its_tracking_numbers(parcel: Fulfillment) -> None:
    client, user = desk()
    order = parcel.order
    text = page(client, order, "ship", parcel.pk)
    assert "Marks 5 x Product" in text
    assert "as shipped to Ann Lee, 1 Elm, New York, United States. This cannot be undone." in text
    form = filled(client, order, "ship", parcel.pk, **FIRST, tracking_number_2="T-2")
    assert send(client, order, "ship", parcel.pk, form) == "Shipped 5 units, T-1 and T-2."
    assert send(client, order, "ship", parcel.pk, form) == "Shipped 5 units, T-1 and T-2."
    assert labels() == [("T-1", "https://parcels.example/T-1"), ("T-2", None)]
    assert books(order).counters == [(5, 5, 0)]
    assert history(order) == [(user.email, "Shipped 5 units, T-1 and T-2.")]
    parcel.refresh_from_db()
    assert parcel.marked_shipped_by == user.pk


def test_wrong_tracking_is_refused_at_its_field(parcel: Fulfillment) -> None:
    client, _ = desk()
    for given, error in (
        ({"tracking_url_2": "https://parcels.example/2"}, "Enter the tracking number for this page."),
        (
            {**FIRST, "tracking_url_1": "ftp://parcels.example"},
            "Enter a URL that begins with https:// or http://.",
        ),
        ({**FIRST, "tracking_url_1": "https://"}, "Enter a valid URL."),
        ({"tracking_number_3": "T" * 256}, "Ensure this value has at most 255 characters (it has 256)."),
        ({"tracking_number_1": "T\x00"}, "Null characters are not allowed."),
    ):
        assert refused(client, parcel.order, "ship", parcel.pk, **given) == [error]
    assert labels() == []


def test_labels_are_added_to_a_shipment(parcel: Fulfillment) -> None:
    client, user = desk()
    order = parcel.order
    act(client, order, "ship", parcel.pk, **FIRST)
    assert "It keeps T-1." in page(client, order, "add-label", parcel.pk)
    assert refused(client, order, "add-label", parcel.pk) == ["Enter a tracking number."]
    form = filled(client, order, "add-label", parcel.pk, tracking_number_1="T-2")
    for _ in range(2):
        assert send(client, order, "add-label", parcel.pk, form) == "Added 1 tracking number."
    assert labels() == [("T-1", "https://parcels.example/T-1"), ("T-2", None)]
    assert history(order)[1:] == [(user.email, "Added 1 tracking number.")]


@pytest.mark.parametrize("no_notification", [False, True])
def test_it_says_which_mail_has_the_numbers(parcel: Fulfillment, no_notification: bool) -> None:
    client, _ = desk()
    order = parcel.order
    assert "with the tracking numbers that you enter." in page(client, order, "ship", parcel.pk)
    shipping.ship(actor=STAFF, fulfillment_id=parcel.pk, no_notification=no_notification)
    text = page(client, order, "add-label", parcel.pk)
    assert "The customer gets no email" in text
    assert ("send the email about the shipment again" in text) is not no_notification


def test_a_shipment_is_delivered_once(parcel: Fulfillment) -> None:
    client, _ = desk()
    order = parcel.order
    assert "as picked up, without a shipment. This cannot be undone." in page(client, order, "deliver", parcel.pk)
    act(client, order, "ship", parcel.pk)
    assert "as delivered. This cannot be undone." in page(client, order, "deliver", parcel.pk)
    form = filled(client, order, "deliver", parcel.pk)
    for _ in range(2):
        assert send(client, order, "deliver", parcel.pk, form) == "Delivered 5 units."
    assert books(order).counters == [(5, 5, 5)]


def test_a_parcel_is_unpacked_once(parcel: Fulfillment) -> None:
    client, user = desk()
    order = parcel.order
    assert "returns them to the stock of Warehouse" in page(client, order, "cancel-fulfillment", parcel.pk)
    form = filled(client, order, "cancel-fulfillment", parcel.pk)
    for _ in range(2):
        assert send(client, order, "cancel-fulfillment", parcel.pk, form) == "Unpacked 5 units."
    assert books(order) == ([(0, 0, 0)], [(10, 5)], "not_fulfilled")
    assert history(order) == [(user.email, "Unpacked 5 units.")]


def test_shipping_while_another_unpacks(parcel: Fulfillment) -> None:
    ann, bob = desk(), desk()
    order = parcel.order
    early = filled(bob[0], order, "ship", parcel.pk, **FIRST)
    act(ann[0], order, "cancel-fulfillment", parcel.pk)
    response = bob[0].post(action_url(order.pk, "ship", parcel.pk), early)
    [error] = response.context["form"].non_field_errors()
    assert f"changed by {ann[1].email}" in error
    assert error.endswith("It is now pending, payment captured, not fulfilled.")
    assert response.context["form"]["tracking_number_1"].value() == "T-1"
    assert not response.context["can_submit"]
    assert labels() == []


def test_it_says_that_shipping_captures(settings: Any) -> None:
    client, _ = desk()
    order = paid(captured=False)
    parcel = pack(order, 5)
    assert "Captures" not in page(client, order, "ship", parcel.pk)
    settings.CAPTURE_ON = "ship"
    assert "Captures $55.00." in page(client, order, "ship", parcel.pk)
    assert "Captures $55.00." in page(client, order, "deliver", parcel.pk)
    shipping.ship(actor=STAFF, fulfillment_id=parcel.pk)
    assert "Captures" not in page(client, Order.objects.get(pk=order.pk), "deliver", parcel.pk)
