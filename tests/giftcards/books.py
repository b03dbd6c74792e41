"""What tests look up in the ledger: all of it, and what a customer has."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection, transaction
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from customers.models import Customer
from giftcards import triggers
from giftcards.ledger import ledger
from giftcards.ledger.references import Reference
from giftcards.models import GiftCard, StoreCreditAccount, Transaction, TransactionGroup


def books() -> Any:
    """Every card, account, group and entry."""
    return tuple(
        list(model._default_manager.order_by("pk").values())
        for model in (GiftCard, StoreCreditAccount, TransactionGroup, Transaction)
    )


@contextmanager
def unchanged(error: type[Exception], match: str | None = None) -> Iterator[None]:
    """What is done within is refused with that error, and the books are as before."""
    before = books()
    with pytest.raises(error, match=match):
        yield
    assert books() == before


def balance(customer: Customer, currency_code: str = "usd") -> Decimal:
    account = StoreCreditAccount.objects.get(customer=customer, currency_id=currency_code)
    return account.credits - account.debits


def groups(account_id: str) -> list[Decimal]:
    """What is left of each group, oldest first."""
    return [each.credits - each.debits for each in TransactionGroup.objects.filter(account=account_id).order_by("pk")]


def nearly_full(customer: Customer, *, room: int) -> StoreCreditAccount:
    """The customer's account, that can take so much more, in 1/10,000."""
    opening = Reference("opening", customer.pk)
    with transaction.atomic():
        account = ledger.open_account(customer_id=customer.pk, currency_code="usd")
        ledger.credit([ledger.Credit(account, opening, ledger.MAX_CREDITED - room, opening)])
    return StoreCreditAccount.objects.get(pk=account.id)


@contextmanager
def unguarded() -> Iterator[None]:
    """Without the ledger's triggers."""
    in_place(triggers.remove)
    try:
        yield
    finally:
        in_place(triggers.install)


def in_place(change: Callable[[BaseDatabaseSchemaEditor], None]) -> None:
    """Change the triggers within a test's transaction: rows with checks put off to its end would be in the way."""
    connection.check_constraints()
    change(connection.SchemaEditorClass(connection))
