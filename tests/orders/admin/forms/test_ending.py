"""The forms that cancel, complete and archive an order."""

import pytest

from catalog.models import Reservation
from giftcards.cards.redemption import redeem
from giftcards.models import GiftCard
from orders.fulfillments import delivery
from orders.models import Order, OrderNote
from payments.movements import capturing
from tests.factories.actors import staff_actor
from tests.factories.customers import CustomerFactory
from tests.factories.giftcards import redeemer
from tests.factories.orders import order as full_order
from tests.factories.payments import PROVIDER
from tests.orders.admin.forms.desk import act, desk, filled, history, page, refusal, refused, send
from tests.orders.fulfillments.shop import STAFF, books, pack
from tests.orders.managing.shop import statuses, work
from tests.orders.refunds.shop import paid_order, payment_of
from tests.orders.refunds.test_bought_cards import gift_order
from tests.orders.returns.shop import delivered, paid

pytestmark = [pytest.mark.once, pytest.mark.django_db]


def test_cancelling_says_what_it_frees_and_does_it_once() -> None:
    client, user = desk()
    order = paid(captured=False)
    pack(order, 2)
    text = page(client, order, "cancel")
    for said in (
        "Unpacks 1 parcel: the items return to stock.",
        "Releases 3 reserved pieces of stock.",
        "Voids $55.00, which the payment providers hold.",
    ):
        assert said in text
    assert "Refunds" not in text
    form = filled(client, order, "cancel")
    for _ in range(2):
        assert send(client, order, "cancel", "", form).startswith("The order was canceled.")
    assert statuses(order) == ("canceled", "canceled", "canceled")
    assert books(order).stock == [(10, 0)]
    assert not Reservation.objects.not_deleted().exists()
    assert history(order) == [(user.email, "Canceled.")]


def test_cancelling_says_what_it_refunds() -> None:
    client, _ = desk()
    order = paid_order(card=10, provider_id=PROVIDER)
    text = page(client, order, "cancel")
    assert "Refunds $25.00 by System default; $10.00 to the gift card that paid." in text
    assert "Voids" not in text
    promoted = full_order()
    assert f"Releases the use of {promoted.promotions.get().code}." in page(client, promoted, "cancel")
    act(client, order, "cancel")
    work()
    assert statuses(order)[:2] == ("canceled", "refunded")


def test_bought_cards_are_named_and_a_redeemed_one_refuses() -> None:
    client, _ = desk()
    order = gift_order(captured=False)
    capturing.capture(actor=staff_actor("payments.add_capture"), payment_id=payment_of(order).pk)
    assert "Cancels 1 gift card bought with it, worth $50.00." in page(client, order, "cancel")
    customer = CustomerFactory(has_account=True)
    redeem(actor=redeemer(customer), id_or_code=GiftCard.objects.get().code)
    [error] = refused(client, order, "cancel")
    assert "redeemed" in error
    assert statuses(order)[0] == "pending"


def test_a_finished_order_is_completed_and_archived_once() -> None:
    client, user = desk()
    order = delivered()
    assert "Everything is delivered, and nothing is owed." in page(client, order, "complete")
    for name, done in (("complete", "completed"), ("archive", "archived")):
        form, of_another_tab = filled(client, order, name), filled(client, order, name)
        for _ in range(2):
            assert send(client, order, name, "", form) == f"The order was {done}."
        version = Order.objects.get(pk=order.pk).version
        [error] = refusal(client, order, name, "", of_another_tab)
        assert error.startswith(f"Nothing was done: this order was changed by {user.email}")
        assert f"It is now {done}" in error
        assert (statuses(order)[0], order.version) == (done, version)
    assert history(order) == [(user.email, "Completed."), (user.email, "Archived.")]


def test_an_unfinished_order_is_completed_with_a_note() -> None:
    client, user = desk()
    order = paid(captured=False)
    delivery.deliver(actor=STAFF, fulfillment_id=pack(order, 5).pk)
    text = page(client, order, "complete")
    assert "It is not finished: $55.00 has not been captured. Add a note that explains why." in text
    assert refused(client, order, "complete") == ["This field is required."]
    form = filled(client, order, "complete", note="Paid in cash")
    for _ in range(2):
        send(client, order, "complete", "", form)
    assert list(OrderNote.objects.values_list("text", "created_by")) == [("Paid in cash", user.pk)]
