"""Gift cards of an order that many issue at once."""

import pytest
from django.db import transaction

from carts.lines.lines import NewLineItem
from giftcards.models import GiftCard
from orders.access.transfers.errors import AlreadyRequested
from orders.access.transfers.open_transfers import open_transfers
from orders.access.transfers.requesting import request_transfer
from orders.payment.gift_card_issue import issue_bought_cards
from tests.concurrency.crowd import at_once
from tests.factories import carts as make
from tests.factories.customers import CustomerFactory
from tests.orders.outbox import mails
from tests.orders.placed import gift, placed

pytestmark = pytest.mark.django_db(transaction=True)


def test_each_unit_becomes_one_card_and_gets_one_mail() -> None:
    made = placed(NewLineItem(gift().pk, 3))

    def issue(_: int) -> None:
        with transaction.atomic():
            issue_bought_cards(made.pk)

    at_once(issue, threads=8)
    assert sorted(GiftCard.objects.values_list("unit", flat=True)) == [1, 2, 3]
    assert sorted(about for _, about, _, _ in mails()) == sorted(GiftCard.objects.values_list("pk", flat=True))


def test_a_customer_has_one_open_request_for_an_order() -> None:
    made, actor = placed(), make.shopper(customer_id=CustomerFactory().pk)

    def request(_: int) -> bool:
        try:
            request_transfer(actor=actor, order_id=made.pk)
        except AlreadyRequested:
            return False
        return True

    assert sorted(at_once(request, threads=8)) == [False] * 7 + [True]
    assert open_transfers(made).count() == len(mails()) == 1
