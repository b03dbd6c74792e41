"""Gift cards and store credit of a generated shop: pending cards, carts that they pay for, and a long ledger."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from django.db import connection

from customers.models import Customer
from giftcards import triggers
from giftcards.cards.issuing import Terms, issue
from giftcards.models import StoreCreditAccount, Transaction, TransactionGroup
from kit.domain.actor import SYSTEM
from tests.bench.shopper_data import signed_in

TURNS = 1600
"""Cards to redeem, and carts to pay for: more than five rounds have requests."""
SHOWN = 40
REDEEMERS = 40
FEW, MANY = 10, 100_000
ENTRIES_OF_GROUP = 100
AMOUNT = Decimal(5)


def fill_credit(currency_code: str) -> dict[str, Any]:
    """Make them, in the currency of the carts that are to be paid; what the cases' requests name."""
    tokens = [signed_in(f"redeemer{number}@shop.example")[1] for number in range(REDEEMERS)]
    few, few_token = signed_in("few@shop.example")
    many, many_token = signed_in("many@shop.example")
    _fill_ledger(few, currency_code, FEW)
    _fill_ledger(many, currency_code, MANY)
    terms = Terms(value=Decimal(25), currency_code=currency_code)
    codes = iter([card.code for card in issue(actor=SYSTEM, terms=terms, count=2 * TURNS + SHOWN)])
    return {
        "redeemers": tokens,
        "few_entries": few_token,
        "many_entries": many_token,
        "pending": [next(codes) for _ in range(TURNS)],
        "paying": [next(codes) for _ in range(TURNS)],
        "shown": [next(codes) for _ in range(SHOWN)],
    }


def _fill_ledger(customer: Customer, currency_code: str, entries: int) -> None:
    """An account with so many entries. What is kept of them is added up once, and not for each by the triggers."""
    with connection.schema_editor() as editor:
        triggers.remove(editor)
    each = min(entries, ENTRIES_OF_GROUP)
    groups = [f"bench:{customer.pk}:{number}" for number in range(entries // each)]
    kept = {"credits": each * AMOUNT, "debits": 0}
    account = StoreCreditAccount.objects.create(
        customer=customer, currency_id=currency_code, credits=entries * AMOUNT, debits=0
    )
    made = TransactionGroup.objects.bulk_create(TransactionGroup(account=account, code=code, **kept) for code in groups)
    Transaction.objects.bulk_create(_entries(made, each), batch_size=10_000)
    with connection.schema_editor() as editor:
        triggers.install(editor)


def _entries(groups: list[TransactionGroup], number: int) -> Iterator[Transaction]:
    for group in groups:
        for turn in range(number):
            yield Transaction(group=group, type="credit", amount=AMOUNT, reference="bench", reference_id=f"{turn}")
