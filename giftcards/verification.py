"""Checks every invariant of the ledger, and those of the orders that it pays for.

Each takes one statement that reads the violations only, so that a ledger of any size needs few statements and little
memory.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.db import connection
from django.db.models import Model

from commerce.kit.core.read_snapshot import read_snapshot
from commerce.kit.core.wired import Wired
from giftcards import triggers
from giftcards.invariants import INVARIANTS, Invariant
from giftcards.models import GiftCard, StoreCreditAccount, Transaction, TransactionGroup


@dataclass(frozen=True, slots=True)
class Payers:
    """What the ledger pays for. models: those that are counted, by the names of their rows."""

    invariants: Sequence[Invariant]
    models: Mapping[str, type[Model]]


PAYERS = Wired[Payers]("the invariants of what the ledger pays for")


def discrepancies() -> Iterator[str]:
    """A sentence for each violation, of the ledger at one moment. Concurrent writes go on."""
    with read_snapshot():
        for name in triggers.missing(connection):
            yield f"The trigger {name} is missing"
        for invariant in (*INVARIANTS, *PAYERS.get().invariants):
            for row in invariant.violations().iterator():
                yield invariant.message.format(**(row if isinstance(row, dict) else vars(row)))


def sizes() -> dict[str, int]:
    """The number of rows of each kind."""
    models: dict[str, type[Model]] = {
        "gift cards": GiftCard,
        "accounts": StoreCreditAccount,
        "groups": TransactionGroup,
        "entries": Transaction,
        **PAYERS.get().models,
    }
    return {name: model._default_manager.count() for name, model in models.items()}
