"""How an edit settles what is then due or owed, where it cannot all be settled at once."""

from typing import Any

import pytest

from giftcards.models import GiftCard
from giftcards.states import CardStatus
from kit.messages.mails.models import Mail
from orders.models import GrantedRefund, PaymentLink
from tests.orders.admin.forms.desk import desk, page
from tests.orders.admin.forms.edits import edited, units
from tests.orders.changes.shop import goods, outcome
from tests.orders.fulfillments.shop import ordered
from tests.orders.managing.shop import work
from tests.orders.placed import gift
from tests.orders.refunds.shop import refund
from tests.orders.returns.shop import paid
from tests.payments.providers import FAKE, switched_on

pytestmark = [pytest.mark.once, pytest.mark.django_db]


@pytest.mark.parametrize(
    ("mugs", "goodwill", "owed", "refunded", "told"),
    [
        # Paid 50 + 60 + 5, less 55: of the 60 that are left, 50 are the card's price.
        (6, 55, 60, 10, "$10.00 of it is refunded to where it was paid from. The rest stays owed: "),
        # Paid 50 + 10 + 5, less 15: the 50 that are left are the card's price.
        (1, 15, 10, 0, "It stays owed: "),
        # Paid 50 + 20 + 5, less 5: of the 70 that are left, 50 are the card's price.
        (2, 5, 20, 20, "It is refunded to where it was paid from."),
    ],
)
def test_the_price_of_a_bought_card_stays_owed(mugs: int, goodwill: int, owed: int, refunded: int, told: str) -> None:
    client, _ = desk()
    order = paid((gift(50), 1), (goods("mug", 10), mugs))
    refund(order, goodwill)
    work()
    shown, message = edited(client, order, **{units(order, "mug"): "0", "settlement": "refund"})
    why = (
        "gift cards bought with the order can still be spent, and are not refunded in part." if owed > refunded else ""
    )
    assert shown[-2:] == [f"${owed}.00 is then owed to the customer.", told + why]
    assert message.endswith(f"${refunded}.00 is being refunded." if refunded else "and is $55.00.")
    work()
    assert GiftCard.objects.get().status == CardStatus.PENDING
    assert [int(each.amount) for each in GrantedRefund.objects.order_by("pk")][1:] == ([refunded] if refunded else [])
    assert outcome(order)[:2] == ("55.00", f"{refunded - owed}.00")


@pytest.mark.django_db(transaction=True)
def test_a_link_is_offered_only_if_there_is_a_page_to_pay_on(settings: Any) -> None:
    client, _ = desk()
    settings.PAYMENT_PAGE = settings.PUBLIC_URL = ""
    way = "If something is due: email a payment link"
    with switched_on(settings):
        order = ordered((goods("mug", 10), 1), provider_id=FAKE)
        assert way not in page(client, order, "edit")
        settings.PUBLIC_URL = "https://api.shop.example"
        assert way in page(client, order, "edit")
        told, message = edited(client, order, **{units(order, "mug"): "2", "settlement": "link"})
    assert told[-2:] == ["$10.00 is then due.", "The customer is emailed a payment link for it."]
    assert message == "Edited: the total was $15.00, and is $25.00. A payment link over $10.00 was emailed."
    assert Mail.objects.filter(kind="payment_requested", about=PaymentLink.objects.get().pk).count() == 1
