"""Checks every invariant of the ledger, and those of the orders that it pays for.

Each takes one statement that reads the violations only, so that a ledger of any size needs few statements and little
memory.
"""

from collections.abc import Iterator, Sequence

from django.db import connection

from commerce.kit.core.read_snapshot import read_snapshot
from commerce.kit.core.wired import Wired
from giftcards import triggers
from giftcards.invariants import INVARIANTS, Invariant
from giftcards.models import GiftCard, StoreCreditAccount, Transaction, TransactionGroup

INVARIANTS_OF_PAYERS = Wired[Sequence[Invariant]]("the invariants of what the ledger pays for")


def discrepancies() -> Iterator[str]:
    """A sentence for each violation, of the ledger at one moment. Concurrent writes go on."""
    with read_snapshot():
        for name in triggers.missing(connection):
            yield f"The trigger {name} is missing"
        for invariant in (*INVARIANTS, *INVARIANTS_OF_PAYERS.get()):
            for row in invariant.violations().iterator():
                yield invariant.message.format(**(row if isinstance(row, dict) else vars(row)))


def sizes() -> dict[str, int]:
    """The number of rows of each kind."""
    return {
        "gift cards": GiftCard.objects.count(),
        "accounts": StoreCreditAccount.objects.count(),
        "groups": TransactionGroup.objects.count(),
        "entries": Transaction.objects.count(),
    }
