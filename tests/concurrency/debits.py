"""Payers that take from one account at the same time, each on a database connection of its own."""

from django.db import IntegrityError

from giftcards.errors import CreditUnavailable
from giftcards.models import StoreCreditAccount
from kit.database.locking import retry_on_conflict
from kit.errors import Conflict
from tests.concurrency import crowd
from tests.factories import giftcards

_TRIES = 20


def at_once(account: StoreCreditAccount, amount: int, *, number: int) -> list[str]:
    """What becomes of so many debits of that amount: `spent`, `refused`, or `broken` where only the database stops it.

    SQLite has one writer, and may keep another waiting too long: it then tries once more.
    """

    def debit(turn: int) -> str:
        for _ in range(_TRIES):
            try:
                retry_on_conflict(lambda: giftcards.spend(account.pk, amount, order_id=f"order_{turn}"))
            except Conflict:
                continue
            except CreditUnavailable:
                return "refused"
            except IntegrityError:
                return "broken"
            return "spent"
        raise AssertionError("the database stays busy")

    return crowd.at_once(debit, threads=number)
