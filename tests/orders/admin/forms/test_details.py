"""The forms that change an order's details, add notes, and send mails again."""

import pytest

from giftcards.models import GiftCard
from kit.messages.mails.models import Mail
from kit.messages.mails.queueing import queue_mail
from kit.values.timestamps import now
from orders.admin.actions import action_url
from orders.models import OrderNote, Return
from orders.returns import cancellation
from tests.orders.admin.forms.desk import act, desk, filled, history, page, refused, send
from tests.orders.refunds.test_bought_cards import gift_order
from tests.orders.returns.shop import STAFF, delivered, paid, request

pytestmark = [pytest.mark.once, pytest.mark.django_db]


def test_changed_details_are_saved_once() -> None:
    client, user = desk()
    order = paid()
    billing = order.billing_address_id
    form = filled(
        client, order, "change-details", email="Bob@example.com", shipping_city="Boston", shipping_company="Tea"
    )
    for _ in range(2):
        message = send(client, order, "change-details", "", form)
        assert message == "Changed the e-mail address and the shipping address."
    order.refresh_from_db()
    address = order.shipping_address
    assert (order.email, address.city, address.company, address.last_name) == (
        "bob@example.com",
        "Boston",
        "Tea",
        "Lee",
    )
    assert order.billing_address_id == billing
    [entry] = history(order)
    assert entry == (user.email, "Changed email, shipping address.")
    assert act(client, order, "change-details") == "Nothing was changed."
    assert act(client, order, "change-details", shipping_company="") == "Changed the shipping address."


def test_wrong_details_are_refused_at_their_field() -> None:
    client, _ = desk()
    order = paid()
    assert "Country: United States" in page(client, order, "change-details")
    for given, error in (
        ({"email": "nobody"}, "Enter a valid email address."),
        ({"email": ""}, "This field is required."),
        ({"billing_city": "x" * 256}, "Ensure this value has at most 255 characters (it has 256)."),
    ):
        assert refused(client, order, "change-details", **given) == [error]
    assert order.version == 1


def test_a_province_is_shown_by_its_name_and_taken_by_name_or_code() -> None:
    client, _ = desk()
    order = paid()
    for given, stored, shown in (("New York", "us-ny", "New York"), ("us-ca", "us-ca", "California"), ("", None, "")):
        act(client, order, "change-details", shipping_province=given)
        order.refresh_from_db()
        assert order.shipping_address.province == stored
        assert filled(client, order, "change-details")["shipping_province"] == [shown]
        assert act(client, order, "change-details") == "Nothing was changed."


def test_a_note_is_added_once() -> None:
    client, user = desk()
    order = paid()
    assert "Only staff can see the note" in page(client, order, "note")
    form = filled(client, order, "note", text="Call first\r\nthen send")
    act(client, order, "change-details", email="bob@example.com")
    for _ in range(2):
        assert send(client, order, "note", "", form) == "The note was added."
    assert list(OrderNote.objects.values_list("text", "created_by")) == [("Call first\nthen send", user.pk)]
    assert refused(client, order, "note", text=" ") == ["This field is required."]


def test_a_mail_is_sent_again_once() -> None:
    client, user = desk()
    order = paid()
    queue_mail("order_placed", about=order.pk)
    assert refused(client, order, "send-mail") == ["The email has not been sent yet"]
    Mail.objects.update(sent_at=now(), next_try_at=None, recipient="a…@example.com")
    text = page(client, order, "send-mail")
    assert "Sends the email to ann@example.com, with current data." in text
    assert "Order placed: last sent " in text
    form = filled(client, order, "send-mail")
    for _ in range(2):
        assert send(client, order, "send-mail", "", form) == "The email “Order placed” will be sent again."
    assert list(Mail.objects.order_by("number").values_list("number", flat=True)) == [1, 2]
    assert history(order) == [(user.email, "The email “Order placed” will be sent again.")]


def test_only_mails_that_can_be_sent_are_offered() -> None:
    client, _ = desk()
    order = delivered()
    queue_mail("order_placed", about=order.pk)
    canceled, silent, open_one = (request(order, 1) for _ in range(3))
    cancellation.cancel(actor=STAFF, return_id=canceled.pk)
    Return.objects.filter(pk=silent.pk).update(no_notification=True)
    Mail.objects.update(sent_at=now(), next_try_at=None, recipient="a…@example.com")
    offered = client.get(action_url(order.pk, "send-mail")).context["form"].fields["mail"].choices
    assert [key for key, _ in offered] == [f"order_placed {order.pk}", f"return_requested {open_one.pk}"]
    Mail.objects.filter(about__in=[order.pk, open_one.pk]).delete()
    assert "No email about this order can be sent any more." in page(client, order, "send-mail")
    assert refused(client, order, "send-mail") == ["This field is required."]


def test_the_code_of_a_bought_card_is_sent_again_once() -> None:
    client, _ = desk()
    order = gift_order()
    card = GiftCard.objects.get()
    Mail.objects.filter(kind="gift_card").update(sent_at=now(), next_try_at=None)
    text = page(client, order, "send-gift-card")
    assert f"…{card.code[-4:]}, $50.00, to ann@example.com" in text
    assert card.code not in text
    form = filled(client, order, "send-gift-card")
    for _ in range(2):
        send(client, order, "send-gift-card", "", form)
    assert Mail.objects.filter(kind="gift_card", about=card.pk).count() == 2
    assert card.code not in str(history(order))
