"""Issuing gift cards."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import TypedDict

from django.db import IntegrityError, transaction

from giftcards.codes import checked_new, new_code
from giftcards.errors import CodeTaken, UnitTaken
from giftcards.ledger.owners import check_currency, check_customer, check_customers, check_spendable
from giftcards.models import GiftCard
from kit.database.locking import was_taken
from kit.domain.actor import Actor
from kit.errors import InvalidData
from kit.values import money, text
from kit.values.json import JSONObject
from kit.values.metadata import Metadata, checked
from kit.values.timestamps import now

MAX_NOTE_LENGTH = 1_000
MAX_AT_ONCE = 100_000


@dataclass(frozen=True, kw_only=True)
class Terms:
    """The terms of new cards. value: in major units, above 0. customer_id: the only customer who can redeem them.

    expires_at: aware; None for never. reference, reference_id: the issuer's own names for what they are for.
    """

    value: Decimal
    currency_code: str
    customer_id: str | None = None
    expires_at: datetime | None = None
    reference: str | None = None
    reference_id: str | None = None
    note: str | None = None
    metadata: Metadata | None = None


class CardColumns(TypedDict):
    """The columns that Terms give a new card."""

    value: Decimal
    currency_id: str
    customer_id: str | None
    expires_at: datetime | None
    reference: str | None
    reference_id: str | None
    note: str | None
    metadata: JSONObject | None


@transaction.atomic
def issue(*, actor: Actor, terms: Terms, count: int = 1) -> list[GiftCard]:
    """Issue identical cards, each with its own code.

    Raises InvalidData naming the field (value, currency_code, customer_id, expires_at, count …), Forbidden.
    """
    actor.require("giftcards.add_giftcard")
    if not 1 <= count <= MAX_AT_ONCE:
        raise InvalidData(f"Value for field 'count' is out of bounds, 1 to {MAX_AT_ONCE} is accepted")
    columns = checked_columns(terms)
    return GiftCard.objects.bulk_create([GiftCard(code=new_code(), **columns) for _ in range(count)], batch_size=1_000)


@transaction.atomic
def issue_spendable(*, actor: Actor, terms: Terms) -> GiftCard:
    """Issue one card in a currency that a region sells in. Raises CurrencyNotSold, and the errors of `issue`."""
    actor.require("giftcards.add_giftcard")
    check_spendable(money.currency(terms.currency_code))
    (card,) = issue(actor=actor, terms=terms)
    return card


@transaction.atomic
def issue_each(*, actor: Actor, cards: Sequence[tuple[Terms, str | None]]) -> list[GiftCard]:
    """Issue a card for each of these terms, with the given code, or a new one for None.

    Raises InvalidData naming the field, Duplicate for a code that a card has, Forbidden.
    """
    actor.require("giftcards.add_giftcard")
    columns = [(code and checked_new(code), checked_terms(terms)) for terms, code in cards]
    for currency_code in {one["currency_id"] for _, one in columns}:
        check_currency(currency_code)
    check_customers({key for _, one in columns if (key := one["customer_id"]) is not None})
    given = [code for code, _ in columns if code]
    if len({*given}) < len(given) or GiftCard.objects.filter(code__in=given).exists():
        raise CodeTaken
    made = [GiftCard(code=code or new_code(), **one) for code, one in columns]
    try:
        with transaction.atomic():
            return GiftCard.objects.bulk_create(made, batch_size=1_000)
    except IntegrityError as error:  # another transaction has taken a code since the check
        if not was_taken(error):
            raise
        raise CodeTaken from error


@transaction.atomic
def issue_for_line(*, actor: Actor, terms: Terms, line_item_id: str, units: int) -> list[GiftCard]:
    """Issue the cards of a line item, one per unit, and return them in order. A repeated call returns the same cards.

    terms.value: of all units together, which the cards share to the last cent. units: 1 or more.
    Raises UnitTaken if a card has a different value, InvalidData, Forbidden.
    Why: docs/decisions/carts.md#shares-of-an-amount-lose-no-cent.
    """
    actor.require("giftcards.add_giftcard")
    columns = checked_columns(terms)
    shares = _shares(columns["value"], columns["currency_id"], units)
    new = [
        GiftCard(**(columns | {"value": share}), code=new_code(), line_item_id=line_item_id, unit=unit)
        for unit, share in enumerate(shares, start=1)
    ]
    GiftCard.objects.bulk_create(new, batch_size=1_000, ignore_conflicts=True)
    cards = list(GiftCard.objects.filter(line_item_id=line_item_id, unit__lte=units).order_by("unit"))
    for unit, (card, share) in enumerate(zip(cards, shares, strict=True), start=1):
        if (card.value, card.currency_id) != (share, columns["currency_id"]):
            raise UnitTaken(line_item_id, unit)
    return cards


def checked_columns(terms: Terms) -> CardColumns:
    """The columns of a new card. Raises InvalidData naming the field."""
    columns = checked_terms(terms)
    check_currency(columns["currency_id"])
    if terms.customer_id is not None:
        check_customer(terms.customer_id)
    return columns


def checked_terms(terms: Terms) -> CardColumns:
    """As checked_columns, without checking that the currency and the customer exist."""
    code = money.currency(terms.currency_code)
    value = money.exact(terms.value, code, field="value")
    if value <= 0:
        raise InvalidData("Value for field 'value' too small, expected more than: '0'")
    if terms.expires_at is not None and terms.expires_at <= now():
        raise InvalidData("Value for field 'expires_at' must be in the future")
    return {
        "value": value,
        "currency_id": code,
        "customer_id": terms.customer_id,
        "expires_at": terms.expires_at,
        "reference": _text(terms.reference, "reference", text.LONGEST),
        "reference_id": _text(terms.reference_id, "reference_id", text.LONGEST),
        "note": _text(terms.note, "note", MAX_NOTE_LENGTH),
        "metadata": checked(terms.metadata),
    }


def _text(value: str | None, field: str, longest: int) -> str | None:
    return None if value is None else text.checked(value, field=field, longest=longest)


def _shares(value: Decimal, currency_code: str, units: int) -> list[Decimal]:
    shares = money.shares(value, [Decimal(1)] * units, currency_code)
    if min(shares) <= 0:
        raise InvalidData(f"Value for field 'value' too small, expected more than: '0' for each of {units} units")
    return shares
