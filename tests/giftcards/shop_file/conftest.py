"""A directory of shop files, and a ledger with something of everything."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from customers.models import Customer
from giftcards.cards import cancellation, redemption
from giftcards.ledger import adjustment
from giftcards.ledger.references import Reference
from giftcards.ledger.refunding import refund
from giftcards.models import GiftCard, StoreCreditAccount
from kit.domain.actor import SYSTEM
from kit.values.timestamps import now
from tests.factories.customers import CustomerFactory
from tests.factories.giftcards import gift_card, redeemer, spend, store_credit
from tests.operations.shop_file_runs import ShopFiles


@pytest.fixture
def files(tmp_path: Any) -> ShopFiles:
    return ShopFiles(tmp_path)


@pytest.fixture
def ledger(ann: Customer) -> Customer:
    """Cards in every state, credit of every source, debits split over groups, a guest's rest, a refund; Ann."""
    bob: Customer = CustomerFactory(email="bob@example.com", has_account=False)
    early, late, guests, spent = (gift_card(value) for value in (50, "12.34", 30, 5))
    gift_card(7, note="For Bo", metadata={"a": [1, None]}, reference="order", reference_id="7", customer_id=bob.pk)
    expired = gift_card(900, currency_code="jpy", expires_at=now() + timedelta(hours=1))
    GiftCard.objects.filter(pk=expired.pk).update(expires_at=now() - timedelta(hours=1))
    cancellation.cancel(actor=SYSTEM, card_id=gift_card(9).pk)
    redemption.redeem(actor=redeemer(ann), id_or_code=early.pk)
    credit = store_credit(ann, 25)
    redemption.redeem(actor=redeemer(ann), id_or_code=late.pk)
    payer = Reference("order", "order_1")
    spend(credit.pk, 80, order_id=payer.id)
    refund(actor=SYSTEM, account_id=credit.pk, amount=Decimal("10.5"), payer=payer, refund_id="r1")
    for card, paid in ((guests, 12), (spent, 5)):
        account_id = redemption.redeem_for_guest(actor=SYSTEM, card_id=card.pk)
        spend(account_id, paid, order_id=payer.id)
        refund(actor=SYSTEM, account_id=account_id, amount=Decimal(1), payer=payer, refund_id="r1")
    store_credit(bob, "0.01", currency_code="eur")
    adjustment.adjust(actor=SYSTEM, customer_id=ann.pk, currency_code="usd", amount=Decimal(-3), reason="Miscounted")
    StoreCreditAccount.objects.filter(customer=bob).update(metadata={"b": 1.5})
    return ann
