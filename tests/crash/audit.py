"""What is wrong after a crash test: `python -m tests.crash.audit`, in the database's environment.

Reads as JSON what should be, `{"cards": [[card id, customer id], …], "keys": 90}`; writes as JSON a list of sentences.
"""

import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import django
import orjson

django.setup()

from giftcards.models import GiftCard, StoreCreditAccount, Transaction
from giftcards.verification.verification import discrepancies
from kit.safety.idempotency.models import Record


def wrongs(cards: list[tuple[str, str]], keys: int) -> Iterator[str]:
    """keys: with how many keys cards were redeemed."""
    customers = dict(cards)
    entries = list(_credits())
    times = Counter(card_id for card_id, *_ in entries)
    for card_id, customer_id in customers.items():
        if times[card_id] != 1:
            yield f"Card {card_id} of customer {customer_id} is credited {times[card_id]} times"
    for card_id, customer_id, amount, value in entries:
        if (customer_id, amount) != (customers.get(card_id), value):
            yield f"Card {card_id}, worth {value}, is {amount} of customer {customer_id}"
    due: dict[tuple[str | None, str], Decimal] = defaultdict(Decimal)
    for card in GiftCard.objects.filter(pk__in=customers):
        due[customers[card.pk], card.currency_id] += card.value
    for account in StoreCreditAccount.objects.all():
        owed = due.pop((account.customer_id, account.currency_id), Decimal(0))
        if account.credits - account.debits != owed:
            yield f"Account {account} holds {account.credits - account.debits} in the place of {owed}"
    for (customer, currency), owed in due.items():
        yield f"Customer {customer} has no account for {owed} {currency}"
    if (found := Record.objects.filter(status=200).count()) != keys:
        yield f"{found} answers are kept for {keys} keys"
    yield from discrepancies()


def _credits() -> Any:
    """Card, customer, amount of each credit, and the card's value."""
    values = dict(GiftCard.objects.values_list("pk", "value"))
    entries = Transaction.objects.values_list("reference_id", "group__account__customer_id", "amount")
    return ((card_id, customer_id, amount, values.get(card_id)) for card_id, customer_id, amount in entries)


def main() -> None:
    given = orjson.loads(sys.stdin.buffer.read())
    sys.stdout.buffer.write(orjson.dumps(list(wrongs(given["cards"], given["keys"]))))


if __name__ == "__main__":
    main()
