"""Gift cards that were bought with an order, and their emails."""

from decimal import Decimal
from typing import Any

import pytest
from django.contrib.admin.utils import quote

from carts.lines.lines import NewLineItem
from giftcards.cards.cancellation import cancel
from giftcards.models import GiftCard
from kit.admin.lists.row_link import row_link
from kit.domain.actor import SYSTEM
from kit.messages.mails.models import Mail
from kit.values.timestamps import now
from orders.mails.gift_cards import render_gift_card_mail
from orders.models import Order, OrderLineItem
from orders.payment.gift_card_issue import issue_bought_cards
from orders.states import OrderStatus
from tests.contract.callers import Caller
from tests.factories import carts as make
from tests.factories.customers import CustomerFactory
from tests.factories.giftcards import gift_card
from tests.kit.admin.visits import reported, visitor
from tests.orders.outbox import mails
from tests.orders.placed import gift, placed

pytestmark = pytest.mark.django_db


def bought(*gifts: NewLineItem, **columns: Any) -> Order:
    made = placed(*gifts, **columns)
    issue_bought_cards(made.pk)
    return made


def cards(made: Order) -> list[GiftCard]:
    lines = list(made.items.order_by("pk").values_list("pk", flat=True))
    return sorted(GiftCard.objects.filter(line_item_id__in=lines), key=lambda card: (card.line_item_id, card.unit))


def test_each_unit_becomes_a_card_that_is_bound_to_nobody_and_gets_a_mail() -> None:
    made = bought(NewLineItem(gift().pk, 2), NewLineItem(make.sold_variant(10).pk, 1), customer=CustomerFactory())
    line = made.items.get(is_giftcard=True)
    found = cards(made)
    assert [(each.line_item_id, each.unit, each.value, each.currency_id) for each in found] == [
        (line.pk, 1, Decimal(50), "usd"),
        (line.pk, 2, Decimal(50), "usd"),
    ]
    assert {(each.customer_id, each.reference, each.reference_id, each.status) for each in found} == {
        (None, None, None, "pending")
    }
    assert mails() == [("gift_card", each.pk, 1, False) for each in found]


def test_repeated_calls_issue_nothing_and_queue_nothing() -> None:
    made = bought(NewLineItem(gift().pk, 2), NewLineItem(gift(20).pk, 1))
    before = (cards(made), mails())
    issue_bought_cards(made.pk)
    assert (cards(made), mails()) == before
    assert len(before[0]) == len(before[1]) == 3


def test_a_card_of_no_price_is_not_issued_and_stops_no_other() -> None:
    made = bought(gift(0), gift(20))
    assert [each.value for each in cards(made)] == [Decimal(20)]


def test_where_an_old_order_has_fewer_cents_than_units_each_cent_is_a_card() -> None:
    made = placed(NewLineItem(gift().pk, 3))
    OrderLineItem.objects.filter(order=made).update(total=Decimal("0.02"))
    issue_bought_cards(made.pk)
    assert [each.value for each in cards(made)] == [Decimal("0.01"), Decimal("0.01")]


def test_a_canceled_order_and_one_without_gift_cards_get_none() -> None:
    assert not cards(bought(NewLineItem(gift().pk, 1), status=OrderStatus.CANCELED))
    assert not cards(bought(NewLineItem(make.sold_variant(10).pk, 1)))
    assert mails() == []


# --- The email --------------------------------------------------------------------------------------------------------


def test_the_mail_goes_to_the_recipient_and_has_the_whole_code() -> None:
    made = bought(NewLineItem(gift().pk, 1, {"recipient_email": " Bob@Example.com"}))
    [card] = cards(made)
    mail = render_gift_card_mail(card.pk, 1)
    assert mail is not None
    assert (mail.recipient, mail.template) == ("bob@example.com", "gift_card")
    assert mail.context == {"code": card.code, "value": "$50.00", "expires_on": ""}


@pytest.mark.parametrize("metadata", [None, {}, {"recipient_email": ""}, {"recipient_email": "nobody"}])
def test_without_a_recipient_it_goes_to_the_address_of_the_order(metadata: Any) -> None:
    made = bought(NewLineItem(gift().pk, 1))
    made.items.update(metadata=metadata)
    [card] = cards(made)
    mail = render_gift_card_mail(card.pk, 1)
    assert mail is not None
    assert mail.recipient == made.email == "guest@example.com"


def test_there_is_no_mail_of_a_card_that_is_canceled_or_not_bought_or_of_an_erased_order() -> None:
    made = bought(NewLineItem(gift().pk, 2))
    one, other = cards(made)
    cancel(actor=SYSTEM, card_id=one.pk)
    assert render_gift_card_mail(one.pk, 1) is None
    assert render_gift_card_mail(other.pk, 1) is not None
    made.email = None
    made.save()
    assert render_gift_card_mail(other.pk, 1) is None
    GiftCard.objects.filter(pk=other.pk).update(line_item_id=None, unit=None)
    assert render_gift_card_mail(other.pk, 1) is None
    assert render_gift_card_mail("gcard_x", 1) is None


# --- The order's line -------------------------------------------------------------------------------------------------


def test_a_line_shows_its_cards_with_masked_codes(guest: Caller) -> None:
    made = bought(NewLineItem(gift().pk, 2), make.sold_variant(10))
    shown = guest.get(f"/store/orders/{made.pk}").json()["order"]["items"]
    expected = [{"id": card.pk, "code": f"…{card.code[-4:]}", "value": 50, "status": "pending"} for card in cards(made)]
    assert {line["is_giftcard"]: line["gift_cards"] for line in shown} == {True: expected, False: []}


def test_the_id_that_a_line_shows_does_not_open_the_card(guest: Caller, by_bob: Caller) -> None:
    [card] = cards(bought(NewLineItem(gift().pk, 1)))
    cart = make.cart(make.sold_variant(10)).pk
    for answer in (
        guest.get(f"/store/gift-cards/{card.pk}"),
        by_bob.get(f"/store/gift-cards/{card.pk}"),
        by_bob.post(f"/store/gift-cards/{card.pk}/redeem"),
        guest.post(f"/store/carts/{cart}/gift-cards", {"code": card.pk}),
    ):
        assert answer.status_code == 404
        assert card.code not in answer.content.decode()
    assert guest.get(f"/store/gift-cards/{card.code}").json()["gift_card"]["id"] == card.pk
    assert by_bob.post(f"/store/gift-cards/{card.code}/redeem").status_code == 200
    assert by_bob.get(f"/store/gift-cards/{card.pk}").status_code == 200
    assert guest.get(f"/store/gift-cards/{card.pk}").json()["gift_card"]["status"] == "redeemed"  # worthless by now


# --- Sending the email again ------------------------------------------------------------------------------------------


def test_staff_with_the_permission_send_the_mail_again() -> None:
    [card] = cards(bought(NewLineItem(gift().pk, 1)))
    address = f"/admin/giftcards/giftcard/{card.pk}/mail/"
    for permissions in (("giftcards.view_giftcard",), ("mails.add_mail",)):
        assert visitor(*permissions).post(address, {"post": "yes"}).status_code == 403
    staff = visitor("giftcards.view_giftcard", "mails.add_mail")
    assert "has not been sent yet" in reported(staff.post(address, {"post": "yes"}))[-1]
    Mail.objects.update(sent_at=now(), next_try_at=None)
    assert "Resend these emails?" in staff.get(address).content.decode()
    assert reported(staff.post(address, {"post": "yes"}))[-1] == "1 gift card mailed again."
    assert mails() == [("gift_card", card.pk, 1, False), ("gift_card", card.pk, 2, False)]


def test_a_card_that_staff_have_issued_has_no_mail_to_send_again() -> None:
    card = gift_card()
    staff = visitor("giftcards.view_giftcard", "mails.add_mail")
    answer = staff.post(f"/admin/giftcards/giftcard/{card.pk}/mail/", {"post": "yes"})
    assert "has no email" in reported(answer)[-1]
    assert mails() == []


def test_a_cards_screen_names_the_order_that_bought_it() -> None:
    made = bought(NewLineItem(gift().pk, 1))
    (card,) = cards(made)
    page = f"/admin/giftcards/giftcard/{quote(card.pk)}/change/"
    shown = visitor("giftcards.view_giftcard", "orders.view_order").get(page).content.decode()
    link = row_link("orders_order_change", made.pk, str(made))
    assert f"Order {link}" in shown
    assert str(card.line_item_id) not in shown
    shown = visitor("giftcards.view_giftcard").get(page).content.decode()
    assert f"Order {made}" in shown
    assert quote(made.pk) not in shown


@pytest.mark.parametrize(
    ("reference", "reference_id", "origin"),
    [
        (None, None, "Issued by a program"),
        ("import", "a-1", "import a-1"),
        ("batch", "0123456789abcdef", "Issued by staff"),
    ],
)
def test_a_cards_screen_says_who_else_issued_it(reference: str | None, reference_id: str | None, origin: str) -> None:
    card = gift_card(reference=reference, reference_id=reference_id)
    answer = visitor("giftcards.view_giftcard").get(f"/admin/giftcards/giftcard/{quote(card.pk)}/change/")
    assert origin in answer.content.decode()
