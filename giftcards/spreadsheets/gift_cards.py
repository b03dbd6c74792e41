"""The spreadsheet of gift cards: a row for each. Imports issue cards, and change notes and expiry; never a balance."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from django.db.models import Q

from customers.models import Customer
from giftcards.cards.changing import change
from giftcards.cards.issuing import MAX_NOTE_LENGTH, Terms, issue_each
from giftcards.codes import checked_new, masked, normalised
from giftcards.models import GiftCard
from giftcards.states import CardStatus
from kit.database.locking import lock_rows
from kit.domain.actor import Actor
from kit.editing.reporting import reported
from kit.errors import InvalidData
from kit.spreadsheets.columns import AMOUNT, END, LONG_TEXT, Column, Columns
from kit.spreadsheets.declarations import Importer, Options, Planned, Record, Spreadsheet, Values, Written
from kit.spreadsheets.single_rows import Refusing, batches_of, refuse_repeated, values_of, version_of
from kit.values import money
from kit.values.email_address import normalized
from kit.values.timestamps import now
from shop.models import Region

_FIXED = {"value": "value", "currency": "currency_id", "customer": "customer_id"}
_CHANGED = ("expires_at", "note")
_EXPORTED = {"status": "status", **_FIXED, **{name: name for name in _CHANGED}}
"""Columns of a card, by field."""
_EXPORT = "giftcards.export_giftcard"
_SPENDABLE = ("pending", "active", "enabled")
_END_OF_CODE = "This is only the end of a code. Enter the whole code."
_PAST = "Enter a time in the future."


class GiftCardImporter(Importer):
    """A card without a code gets a new one. A known id or code names a stored card."""

    def __init__(self, fields: Collection[str], options: Options, actor: Actor) -> None:
        super().__init__(fields, options, actor)
        self._sold = {*Region.objects.not_deleted().values_list("currency", flat=True)}

    def lock(self, ids: Sequence[str]) -> None:
        lock_rows(GiftCard.objects.filter(pk__in=ids).only("pk"))

    def plan(self, records: Sequence[Record]) -> list[Planned]:
        rows = [values_of(record) for record in records]
        ids, codes = {row.get("id") for row in rows}, {normalised(row.get("code") or "") for row in rows}
        cards = GiftCard.objects.not_deleted().filter(Q(pk__in=ids - {None}) | Q(code__in=codes))
        stored = {key: card for card in cards for key in (card.pk, card.code)}
        buyers = _buyers([row["customer"] for row in rows if row.get("customer")])
        planned = [self._planned(*each, stored, buyers) for each in zip(records, rows, strict=True)]
        refuse_repeated(records, [one.id or (one.change and one.change[1]) for one in planned], self.claimed)
        return planned

    def write(self, planned: Sequence[Planned]) -> list[Written]:
        with reported():
            new = [one.change for one in planned if one.id is None]
            issued = iter(issue_each(actor=self.actor, cards=new) if new else ())
            return [self._written(one) if one.id else Written(next(issued).pk) for one in planned]

    def _written(self, one: Planned) -> Written:
        card, changes = one.change
        change(actor=self.actor, card_id=card.pk, **changes)
        before = {name: getattr(card, name) for name in _CHANGED if name in self.fields}  # not just what differs
        return Written(card.pk, [{"id": card.pk, **before}])

    def _planned(
        self, record: Record, row: Values, stored: Mapping[str, GiftCard], buyers: Mapping[str, str]
    ) -> Planned:
        code, customer = row.get("code"), row.get("customer")
        card = stored.get(row.get("id") or normalised(code or ""))
        if row.get("id") and card is None:
            record.refuse("No gift card has this id. To issue a card, leave the cell empty.", "id")
        if customer and not (card and customer == card.customer_id):  # who may be deleted by now
            customer = buyers.get(customer)
            if customer is None:
                record.refuse("No customer has this email address or id.", "customer")
        if row.get("note") and len(row["note"]) > MAX_NOTE_LENGTH:
            record.refuse(f"Enter at most {MAX_NOTE_LENGTH:,} characters.", "note")
        if card:
            return self._changing(record, row, card, customer)
        label = masked(code) if code else f"{row.get('value')} {row.get('currency') or ''}"
        if not record.problems:
            code = self._check_new(record, row)
        if record.problems:
            return Planned(record, label)
        terms = Terms(
            value=row["value"],
            currency_code=row["currency"],
            customer_id=customer,
            expires_at=row.get("expires_at"),
            note=row.get("note"),
        )
        return Planned(record, label, change=(terms, code))

    def _check_new(self, record: Record, row: Values) -> str | None:
        """Add the problems of a card to issue. Returns its code as it is stored.

        Why: docs/decisions/gift-cards.md#spent-cards-are-not-issued-anew-by-a-spreadsheet.
        """
        code, status, expires_at = row.get("code"), row.get("status"), row.get("expires_at")
        if not code and row.get("last_characters"):
            record.refuse(_END_OF_CODE, "last_characters")
        if status and status.casefold() not in _SPENDABLE:
            record.refuse(f"A card that is {status} cannot be issued. Delete the row.", "status")
        with Refusing(record, "code"):
            if code and code.startswith(masked("")):
                raise InvalidData(_END_OF_CODE)
            code = checked_new(code) if code else None
        with Refusing(record, "currency"):
            currency = money.currency(_required(row, "currency"))
            if currency not in self._sold:
                raise InvalidData("No region sells in this currency, so nobody could spend the card.")
            with Refusing(record, "value"):
                if money.exact(_required(row, "value"), currency, field="value") <= 0:
                    raise InvalidData("Enter an amount above 0.")
        if expires_at and expires_at <= now():
            record.refuse(_PAST, "expires_at")
        return code

    def _changing(self, record: Record, row: Values, card: GiftCard, customer: str | None) -> Planned:
        given = {**row, "currency": (row.get("currency") or "").lower() or None, "customer": customer}
        for field, column in _FIXED.items():
            if given.get(field) not in (None, getattr(card, column)):
                record.refuse(f"The {field} of an issued card cannot be changed.", field)
        if row.get("code") and row["code"] != masked(card.code) and normalised(row["code"]) != card.code:
            record.refuse("The code of an issued card cannot be changed.", "code")
        changes = {
            name: row[name] for name in _CHANGED if name in row and (row[name] or None) != (getattr(card, name) or None)
        }
        if "expires_at" in changes:
            if card.status != CardStatus.PENDING:
                record.refuse("This card is no longer pending, so its expiry date cannot be changed.", "expires_at")
            elif changes["expires_at"] and changes["expires_at"] <= now():
                record.refuse(_PAST, "expires_at")
        version = version_of((card.status, card.note, card.expires_at))
        return Planned(record, str(card), card.pk, version, bool(changes), (card, changes))


class GiftCardSpreadsheet(Spreadsheet):
    """Codes are whole for those who may export them; others get their ends, and no ids, which spend as codes do.

    Why: docs/decisions/gift-cards.md#exports-without-whole-codes-have-no-ids.
    """

    key = "gift_cards"
    title = "Gift cards"
    importing = ("giftcards.view_giftcard", "giftcards.add_giftcard", "giftcards.change_giftcard")
    exporting = ("giftcards.view_giftcard",)
    revealing = {"code": _EXPORT}
    recorded = GiftCard
    importer = GiftCardImporter
    columns = Columns(
        (
            Column("id", "Id"),
            Column("code", "Code", aliases=("Gift Card Code",)),
            Column("status", "Status", is_imported=False),
            Column("last_characters", "Last Characters", is_imported=False),
            Column("value", "Value", AMOUNT, ("Balance", "Current Balance")),
            Column("currency", "Currency", aliases=("Currency Code",)),
            Column("expires_at", "Expires At", END, ("Expires On",)),
            Column("customer", "Customer", aliases=("Customer Email", "Recipient")),
            Column("note", "Note", LONG_TEXT),
        )
    )

    def key_of(self, values: Values) -> str:
        return values.get("id") or normalised(values.get("code") or "")

    def hidden(self, actor: Actor) -> Collection[str]:
        return () if actor.may(_EXPORT) else ("id",)

    def rows(self, actor: Actor, options: Options) -> Iterator[Sequence[Values]]:
        shows = actor.may(_EXPORT)
        for batch in batches_of(GiftCard.objects.visible_to(actor)):
            for card in batch:
                code = card.code if shows else masked(card.code)
                own = {field: getattr(card, column) for field, column in _EXPORTED.items()}
                yield [{"id": card.pk, "code": code, **own}]


def _required(row: Values, name: str) -> Any:
    if row.get(name) is None:
        raise InvalidData(f"Enter the {name} of the new card.")
    return row[name]


def _buyers(named: Collection[str]) -> dict[str, str]:
    """The ids of the customers that are named so, by id or by email; of an account, if a guest has the same email."""
    emails = {normalized(one) for one in named}
    rows = Customer.objects.not_deleted().filter(Q(pk__in=named) | Q(email__in=emails), erased_at=None)
    found = rows.order_by("has_account").values_list("pk", "email")
    keys = {name: key for key, email in found for name in (email, key) if name}
    return {text: key for text in named if (key := keys.get(text) or keys.get(normalized(text)))}


GIFT_CARDS = GiftCardSpreadsheet()
