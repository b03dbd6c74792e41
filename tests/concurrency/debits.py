"""Payers that take from one account at the same time, each on a database connection of its own."""

from decimal import Decimal

from django.db import IntegrityError

from commerce.kit.core.actor import SYSTEM
from commerce.kit.core.errors import Conflict
from commerce.kit.core.locking import retry_on_conflict
from giftcards import spending
from giftcards.errors import BalanceTooLow
from giftcards.models import StoreCreditAccount
from giftcards.references import Reference
from tests.concurrency import crowd

_TRIES = 20


def at_once(account: StoreCreditAccount, amount: int, *, number: int) -> list[str]:
    """What becomes of so many debits of that amount: `spent`, `refused`, or `broken` where only the database stops it.

    SQLite has one writer, and may keep another waiting too long: it then tries once more.
    """

    def debit(turn: int) -> str:
        payer = Reference("cart", f"cart_{turn}")
        for _ in range(_TRIES):
            try:
                retry_on_conflict(
                    lambda: spending.spend(actor=SYSTEM, account_id=account.pk, amount=Decimal(amount), payer=payer)
                )
            except Conflict:
                continue
            except BalanceTooLow:
                return "refused"
            except IntegrityError:
                return "broken"
            return "spent"
        raise AssertionError("the database stays busy")

    return crowd.at_once(debit, threads=number)
