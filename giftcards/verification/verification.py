"""Checks every invariant of the ledger, and those of the orders that it pays for and of stock.

Each takes one statement that reads the violations only, so that a ledger of any size needs few statements and little
memory.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Model

from giftcards import triggers
from giftcards.models import GiftCard, StoreCreditAccount, Transaction, TransactionGroup
from giftcards.verification.invariants import INVARIANTS
from kit.database.read_snapshot import read_snapshot
from kit.domain.hooks import Wired
from kit.domain.invariants import Invariant

OTHER_INVARIANTS = Wired[Sequence[Invariant]]("the invariants that are checked with those of the ledger")
OTHER_TRIGGERS = Wired[Callable[[BaseDatabaseWrapper], Sequence[str]]]("the triggers that are missing elsewhere")
OTHER_MODELS = Wired[Mapping[str, type[Model]]]("the models that are counted with those of the ledger")


def discrepancies(
    watch: Callable[[Sequence[Invariant], str, int], Iterable[Invariant]] = lambda invariants, *_: invariants,
) -> Iterator[str]:
    """A sentence for each violation, of all rows at one moment. Concurrent writes go on.

    watch: passes the invariants on, for progress, by their name and number.
    """
    with read_snapshot():
        for name in (*triggers.missing(connection), *OTHER_TRIGGERS.get()(connection)):
            yield f"The trigger {name} is missing"
        invariants = (*INVARIANTS, *OTHER_INVARIANTS.get())
        for invariant in watch(invariants, "checks", len(invariants)):
            for row in invariant.violations().iterator():
                yield invariant.message.format(**(row if isinstance(row, dict) else vars(row)))


def sizes() -> dict[str, int]:
    """The number of rows of each kind."""
    models: dict[str, type[Model]] = {
        "gift cards": GiftCard,
        "accounts": StoreCreditAccount,
        "groups": TransactionGroup,
        "entries": Transaction,
        **OTHER_MODELS.get(),
    }
    return {name: model._default_manager.count() for name, model in models.items()}
