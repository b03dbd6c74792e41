"""Gift cards sold and given away, and the store credit that they and others became, by period and currency."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from django.db.models import Expression, ExpressionWrapper, F, Q, Sum

from giftcards.ledger.references import ADJUSTMENT, GIFT_CARD
from giftcards.models import GiftCard, Transaction
from giftcards.states import CardStatus, EntryType
from kit.values.money import MoneyField
from orders.reports.accounting.intervals import Interval
from orders.reports.sales.periods import Period

_CREDIT, _DEBIT = Q(type=EntryType.CREDIT), Q(type=EntryType.DEBIT)
_FROM_CARDS, _BY_STAFF = Q(reference=GIFT_CARD), Q(reference=ADJUSTMENT)


class Vouchers(NamedTuple):
    """cards_sold, cards_issued: the values of gift cards, bought with orders or issued otherwise.

    cards_canceled: of either, in the period of the card's last change. cards_redeemed: what became store credit.
    spent: what gift cards and store credit paid of orders. refunded: what was refunded as store credit.
    adjusted: what staff have added, less what they took.
    """

    period: str
    currency: str
    cards_sold: Decimal = Decimal(0)
    cards_issued: Decimal = Decimal(0)
    cards_canceled: Decimal = Decimal(0)
    cards_redeemed: Decimal = Decimal(0)
    spent: Decimal = Decimal(0)
    refunded: Decimal = Decimal(0)
    adjusted: Decimal = Decimal(0)


def vouchers(period: Period, interval: Interval) -> Sequence[Vouchers]:
    """By period and currency. Three statements."""
    found: dict[tuple[str, str], dict[str, Any]] = defaultdict(dict)
    for first, currency, sums in _sums(period, interval):
        found[interval.name_of(first), currency] |= sums
    return [Vouchers(*key, **found[key]) for key in sorted(found)]


def _sums(period: Period, interval: Interval) -> Iterator[tuple[Any, str, dict[str, Decimal]]]:
    cards, entries = GiftCard.objects.all(), Transaction.objects.all()
    issued, canceled = cards.filter(period.of("created_at")), cards.filter(period.of("updated_at"))
    yield from _grouped(
        issued.annotate(first_day=interval.of_moment("created_at")),
        "currency_id",
        cards_sold=_sum("value", ~Q(line_item_id=None)),
        cards_issued=_sum("value", Q(line_item_id=None)),
    )
    yield from _grouped(
        canceled.filter(status=CardStatus.CANCELED).annotate(first_day=interval.of_moment("updated_at")),
        "currency_id",
        cards_canceled=_sum("value"),
    )
    yield from _grouped(
        entries.filter(period.of("created_at")).annotate(first_day=interval.of_moment("created_at")),
        "group__account__currency_id",
        cards_redeemed=_sum("amount", _CREDIT & _FROM_CARDS),
        spent=_sum("amount", _DEBIT & ~_BY_STAFF),
        refunded=_sum("amount", _CREDIT & ~_FROM_CARDS & ~_BY_STAFF),
        adjusted=ExpressionWrapper(
            _sum("amount", _CREDIT & _BY_STAFF) - _sum("amount", _DEBIT & _BY_STAFF), output_field=MoneyField()
        ),
    )


def _grouped(rows: Any, currency: str, **sums: Expression) -> Iterator[tuple[Any, str, dict[str, Decimal]]]:
    for first, code, *found in rows.order_by().values_list("first_day", F(currency)).annotate(**sums):
        yield first, code, dict(zip(sums, found, strict=True))


def _sum(column: str, condition: Q | None = None) -> Sum:
    return Sum(column, filter=condition, default=0)
