"""What shop files say of gift cards and of accounts."""

from typing import Any

from auth.models import AuthIdentity
from customers.models import Customer
from giftcards.models import GiftCard, StoreCreditAccount, Transaction, TransactionGroup
from tests.giftcards.books import unguarded

KEYS = ("customers", "gift_cards", "store_credit_accounts")
ANN = "ann@example.com"
PENDING: dict[str, Any] = {"code": "TEA-1", "value": 50, "currency_code": "usd"}
REDEEMED: dict[str, Any] = {**PENDING, "code": "TEA-2", "status": "redeemed", "customer": ANN}
OPENING: dict[str, Any] = {"type": "credit", "amount": 20, "reference": "adjustment", "reference_id": "opening"}
NAMED: dict[str, Any] = {**OPENING, "group": "opening"}
PAID: dict[str, Any] = {"type": "debit", "amount": 12.5, "reference": "order", "reference_id": "1001"}
LOSSES = "the ledger: "


def cards(*objects: dict[str, Any]) -> dict[str, Any]:
    return {"gift_cards": list(objects)}


def account(*transactions: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """A file of Ann's account."""
    own = {"customer": ANN, "currency_code": "usd", **fields}
    return {"store_credit_accounts": [{**own, "transactions": list(transactions)}]}


def empty() -> None:
    """Leave nobody and no money."""
    with unguarded():
        for model in (Transaction, TransactionGroup, StoreCreditAccount, GiftCard, Customer, AuthIdentity):
            model._default_manager.all().delete()
