"""The spreadsheet of gift cards: a row for each. Imports issue cards, and change notes and expiry; never a balance."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from django.db.models import Q

from customers.models import Customer
from giftcards.cards.changing import ExpiryOfSpentCard, change
from giftcards.cards.issuing import Terms, checked_terms, issue_each
from giftcards.codes import checked, masked, normalised
from giftcards.models import GiftCard
from giftcards.states import CardStatus
from kit.database.locking import lock_rows
from kit.domain.actor import Actor
from kit.editing.reporting import reported
from kit.errors import InvalidData
from kit.spreadsheets.columns import AMOUNT, END, LONG_TEXT, Column, Columns
from kit.spreadsheets.declarations import Importer, Options, Planned, Record, Spreadsheet, Values, Written
from kit.spreadsheets.single_rows import Refusing, batches_of, refuse_repeated, values_of, version_of
from kit.values.email_address import normalized
from shop.models import Region

_FIXED = {"value": "value", "currency": "currency_id", "customer": "customer_id"}
_CHANGED = ("expires_at", "note")
_EXPORT = "giftcards.export_giftcard"


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
        refuse_repeated(records, [one.id or (one.change and one.change[1]) for one in planned])
        return planned

    def write(self, planned: Sequence[Planned]) -> list[Written]:
        with reported():
            new = [one.change for one in planned if one.id is None]
            issued = iter(issue_each(actor=self.actor, cards=new) if new else ())
            return [self._written(one) if one.id else Written(next(issued).pk) for one in planned]

    def _written(self, one: Planned) -> Written:
        card, changes = one.change
        change(actor=self.actor, card_id=card.pk, **changes)
        return Written(card.pk, [{"id": card.pk, **{name: getattr(card, name) for name in changes}}])

    def _planned(
        self, record: Record, row: Values, stored: Mapping[str, GiftCard], buyers: Mapping[str, str]
    ) -> Planned:
        code, customer = row.get("code"), row.get("customer")
        card = stored.get(row.get("id") or normalised(code or ""))
        if row.get("id") and card is None:
            record.refuse("no gift card has this id", "id")
        if customer and not (card and customer == card.customer_id):  # who may be deleted by now
            with Refusing(record, "customer"):
                customer = _buyer(customer, buyers)
        if card:
            return self._changing(record, row, card, customer)
        label = masked(code) if code else f"{row.get('value')} {row.get('currency') or ''}"
        with Refusing(record, "code"):
            code = checked(code) if code else None
        for name in ("value", "currency"):
            if row.get(name) is None and not record.problems:
                record.refuse("is needed", name)
        if record.problems:
            return Planned(record, label)
        terms = Terms(
            value=row["value"],
            currency_code=row["currency"],
            customer_id=customer,
            expires_at=row.get("expires_at"),
            note=row.get("note"),
        )
        try:
            if checked_terms(terms)["currency_id"] not in self._sold:
                record.refuse("no region sells in this currency", "currency")
        except InvalidData as refusal:
            record.refuse(refusal.message, next((name for name in row if f"'{name}" in refusal.message), ""))
        return Planned(record, label, change=(terms, code))

    def _changing(self, record: Record, row: Values, card: GiftCard, customer: str | None) -> Planned:
        given = {**row, "currency": (row.get("currency") or "").lower() or None, "customer": customer}
        for field, column in _FIXED.items():
            if given.get(field) not in (None, getattr(card, column)):
                record.refuse("of an issued card never changes", field)
        if row.get("code") and row["code"] != masked(card.code) and normalised(row["code"]) != card.code:
            record.refuse("of an issued card never changes", "code")
        changes = {
            name: row[name] for name in _CHANGED if name in row and (row[name] or None) != (getattr(card, name) or None)
        }
        if "expires_at" in changes and card.status != CardStatus.PENDING:
            record.refuse(ExpiryOfSpentCard.message, "expires_at")
        version = version_of((card.status, card.note, card.expires_at))
        return Planned(record, str(card), card.pk, version, bool(changes), (card, changes))


class GiftCardSpreadsheet(Spreadsheet):
    """Codes are whole for those who may export them; others get their ends."""

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
            Column("status", "Status"),
            Column("value", "Value", AMOUNT, ("Initial Value", "Initial Balance")),
            Column("currency", "Currency", aliases=("Currency Code",)),
            Column("expires_at", "Expires At", END, ("Expires On",)),
            Column("customer", "Customer", aliases=("Customer Email", "Recipient")),
            Column("note", "Note", LONG_TEXT),
        )
    )

    def key_of(self, values: Values) -> str:
        return values.get("id") or normalised(values.get("code") or "")

    def rows(self, actor: Actor, options: Options) -> Iterator[Sequence[Values]]:
        shows = actor.may(_EXPORT)
        for batch in batches_of(GiftCard.objects.visible_to(actor)):
            for card in batch:
                yield [
                    {
                        "id": card.pk,
                        "code": card.code if shows else masked(card.code),
                        "status": card.status,
                        "value": card.value,
                        "currency": card.currency_id,
                        "expires_at": card.expires_at,
                        "customer": card.customer_id,
                        "note": card.note,
                    }
                ]


def _buyers(named: Collection[str]) -> dict[str, str]:
    """The ids of customers by id and by email; of an account, if a guest has the same email."""
    emails = {normalized(one) for one in named}
    rows = Customer.objects.not_deleted().filter(Q(pk__in=named) | Q(email__in=emails), erased_at=None)
    found = rows.order_by("has_account").values_list("pk", "email")
    return {name: key for key, email in found for name in (email, key) if name}


def _buyer(text: str, buyers: Mapping[str, str]) -> str:
    key: Any = buyers.get(text) or buyers.get(normalized(text))
    if key is None:
        raise InvalidData("no customer has this email or id")
    return str(key)


GIFT_CARDS = GiftCardSpreadsheet()
