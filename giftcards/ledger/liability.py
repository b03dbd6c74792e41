"""What the shop owes: unspent store credit, and gift cards that can still be redeemed.

By currency, by the age of its source (the card; for store credit the card, adjustment or refund, spent oldest first),
and by expiry. Expired cards are listed separately: they are not owed.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal

from django.db.models import Case, CharField, Exists, ExpressionWrapper, OuterRef, Q, Sum, Value, When

from giftcards.ledger.references import GIFT_CARD
from giftcards.models import GiftCard, Transaction
from giftcards.states import CardStatus, EntryType
from kit.database.read_snapshot import read_snapshot
from kit.errors import InvalidData
from kit.values.money import MoneyField

STORE_CREDIT, GIFT_CARDS = KINDS = ("store credit", "gift cards")
AGES = ("0-30 days", "31-90 days", "91-365 days", "older")
NEVER, LATER, SOON, EXPIRED = EXPIRIES = ("never", "later", "within 30 days", "expired")
_LAST_DAYS = (30, 90, 365)
_SOON = timedelta(days=30)
_Row = tuple[str, str, str, str, Decimal]
"""The attributes of a Share, in their order."""


@dataclass(frozen=True)
class Share:
    """The amount owed in one currency, of one kind, age and expiry. amount: in major units, above 0."""

    currency_code: str
    kind: str
    age: str
    expiry: str
    amount: Decimal

    @property
    def is_owed(self) -> bool:
        """Whether the balance can still be claimed."""
        return self.expiry != EXPIRED


def shares(*, as_of: datetime, currency_code: str | None = None) -> list[Share]:
    """All shares in the order of AGES and EXPIRIES; two statements.

    as_of: an earlier time gives the liability at that time, with two limits: cards have their current expiry, and a
    card that was canceled since is owed until its last change.
    Raises InvalidData for a time at the edge of the calendar, where no age or expiry can be computed.
    """
    try:
        owed = _store_credit(as_of), _gift_cards(as_of)
    except OverflowError as error:
        raise InvalidData("Value for field 'as_of' is out of bounds") from error
    with read_snapshot():
        rows = [row for each in owed for row in each]
    found = [Share(*row) for row in rows if row[-1] and currency_code in (None, row[0])]
    return sorted(found, key=_sort_key)


def totals(found: Iterable[Share]) -> dict[str, Decimal]:
    """The total owed, by currency."""
    owed: dict[str, Decimal] = {}
    for share in found:
        if share.is_owed:
            owed[share.currency_code] = owed.get(share.currency_code, Decimal(0)) + share.amount
    return owed


def _store_credit(as_of: datetime) -> Iterable[_Row]:
    """By entries: stored balances are the current ones."""
    entries = Transaction.objects.filter(created_at__lte=as_of).order_by()
    credited, debited = (Sum("amount", filter=Q(type=each), default=0) for each in (EntryType.CREDIT, EntryType.DEBIT))
    rows: Iterable[_Row] = (
        entries.annotate(age=_age("group__created_at", as_of), kind=_text(STORE_CREDIT), expiry=_text(NEVER))
        .values_list("group__account__currency_id", "kind", "age", "expiry")
        .annotate(left=ExpressionWrapper(credited - debited, output_field=MoneyField()))
    )
    return rows


def _gift_cards(as_of: datetime) -> Iterable[_Row]:
    redeemed = Transaction.objects.filter(
        type=EntryType.CREDIT, reference=GIFT_CARD, reference_id=OuterRef("pk"), created_at__lte=as_of
    )
    canceled = Q(status=CardStatus.CANCELED, updated_at__lte=as_of)
    cards = GiftCard.objects.filter(created_at__lte=as_of).exclude(Exists(redeemed)).exclude(canceled).order_by()
    rows: Iterable[_Row] = (
        cards.annotate(age=_age("created_at", as_of), kind=_text(GIFT_CARDS), expiry=_expiry(as_of))
        .values_list("currency_id", "kind", "age", "expiry")
        .annotate(left=Sum("value"))
    )
    return rows


def _age(column: str, as_of: datetime) -> Case:
    """In whole days."""
    younger = (
        When(**{f"{column}__gt": as_of - timedelta(days=days + 1)}, then=Value(age))
        for days, age in zip(_LAST_DAYS, AGES, strict=False)
    )
    return Case(*younger, default=Value(AGES[-1]), output_field=CharField())


def _expiry(as_of: datetime) -> Case:
    return Case(
        When(expires_at=None, then=Value(NEVER)),
        When(expires_at__lte=as_of, then=Value(EXPIRED)),
        When(expires_at__lte=as_of + _SOON, then=Value(SOON)),
        default=Value(LATER),
        output_field=CharField(),
    )


def _text(word: str) -> Value:
    return Value(word, output_field=CharField())


def _sort_key(share: Share) -> tuple[str, int, int, int]:
    return (
        share.currency_code,
        KINDS.index(share.kind),
        AGES.index(share.age),
        EXPIRIES.index(share.expiry),
    )
