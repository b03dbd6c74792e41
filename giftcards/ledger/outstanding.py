"""Outstanding store credit, day by day."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal

from django.db.models import CharField, DateField, Model, QuerySet, Sum, Value
from django.db.models.functions import TruncDate

from giftcards.models import StoreCreditAccount, Transaction
from giftcards.states import EntryType
from kit.domain.actor import Actor
from kit.values import money
from kit.values.timestamps import now


@dataclass(frozen=True)
class BalanceHistory:
    """balances: at the end of each day, UTC, in major units; the last one is the current balance."""

    currency_code: str
    balances: tuple[tuple[date, Decimal], ...]


def balance_histories(*, actor: Actor, days: int) -> list[BalanceHistory]:
    """The histories of all currencies with a balance in the last `days` days, including today.

    Computed back from the stored totals with the entries of these days, in one statement for a consistent view.
    Raises Forbidden.
    """
    actor.require("giftcards.view_storecreditaccount")
    today = now().date()
    dates = [today - timedelta(days=back) for back in range(days)]
    owed: dict[str, Decimal] = defaultdict(Decimal)
    changes: dict[tuple[str, date], Decimal] = defaultdict(Decimal)
    for currency_code, day, kind, amount in _sums(since=dates[-1]):
        signed = -amount if kind == EntryType.DEBIT else amount
        if day is None:
            owed[currency_code] += signed
        else:
            changes[currency_code, day] += signed
    return [
        BalanceHistory(code, tuple(_balances(code, owed[code], dates, changes)))
        for code in sorted(owed)
        if owed[code] or any(changed == code for changed, _ in changes)
    ]


def _balances(
    currency_code: str, owed: Decimal, dates: list[date], changes: dict[tuple[str, date], Decimal]
) -> list[tuple[date, Decimal]]:
    """The balances, oldest first, computed back from the current one."""
    found = []
    for day in dates:
        found.append((day, money.rounded(owed, currency_code)))
        owed -= changes.get((currency_code, day), Decimal(0))
    return found[::-1]


def _sums(*, since: date) -> Iterable[tuple[str, date | None, str, Decimal]]:
    """Currency, day, type and amount; without a day, the stored totals of accounts."""
    entries = (
        Transaction.objects.filter(created_at__gte=datetime.combine(since, time.min, UTC))
        .annotate(day=TruncDate("created_at", tzinfo=UTC))
        .order_by()
        .values_list("group__account__currency_id", "day", "type")
        .annotate(sum=Sum("amount"))
    )
    sums: Iterable[tuple[str, date | None, str, Decimal]] = entries.union(
        _kept("credits", EntryType.CREDIT), _kept("debits", EntryType.DEBIT), all=True
    )
    return sums


def _kept(column: str, kind: EntryType) -> QuerySet[Model, object]:
    sums: QuerySet[Model, object] = (
        StoreCreditAccount.objects.order_by()
        .annotate(day=Value(None, DateField()), type=Value(kind.value, CharField()))
        .values_list("currency_id", "day", "type")
        .annotate(sum=Sum(column))
    )
    return sums
