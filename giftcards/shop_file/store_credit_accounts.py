"""Store credit accounts in the shop file, with their entries."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import ClassVar

from giftcards.models import StoreCreditAccount
from giftcards.shop_file.accounts import Owner, lock_accounts, open_accounts
from giftcards.shop_file.bookings import Bookings, Claims
from giftcards.shop_file.buyers import BUYERS, names
from giftcards.shop_file.entries import TRANSACTION, dumped_by_account, lines
from giftcards.shop_file.gift_cards import GiftCards
from kit.editing.changes import BATCH
from kit.shop_file.problems import Problems
from kit.shop_file.references import Named, resolve
from kit.shop_file.sections import Section
from kit.shop_file.values import DateTime, Entry, Id, Metadata, Objects, Value, read_object
from kit.values.json import JSONObject
from kit.values.metadata import same
from kit.values.timestamps import isoformat, now
from kit.writes import raw_rows
from shop.shop_file.currencies import CurrencyCode


class StoreCreditAccounts(Section):
    """The accounts of customers. Entries are added in the order of the file. Entries and owners never change.

    Accounts of guests are dumped with their gift cards.
    """

    key = "store_credit_accounts"
    prefix = "sc_acc"
    prepared_before = GiftCards.key
    is_in_ledger = True
    fields: ClassVar[Mapping[str, Value]] = {
        "customer": Named(target=BUYERS),
        "currency_code": CurrencyCode(),
        "metadata": Metadata(),
        "transactions": Objects(fields=TRANSACTION),
    }

    def __init__(self, problems: Problems) -> None:
        super().__init__(problems)
        self._claims: Claims = {}
        self._opened: set[str] = set()

    def prepare(self, objects: Iterable[object]) -> None:
        """Open missing accounts with the file's values, since its gift cards are credited to them."""
        own = {name: field for name, field in self.fields.items() if name != "transactions"}
        fields = {"id": Id(prefix=self.prefix), "created_at": DateTime(), **own}
        reported_by_load = Problems()
        entries = (
            read_object(_without_transactions(raw), f"{self.key}[{index}]", fields, reported_by_load)
            for index, raw in enumerate(objects)
        )
        while batch := list(islice(entries, BATCH)):
            resolve(batch, fields, reported_by_load)
            sound = [entry for entry in batch if entry.is_sound]
            stored = lock_accounts(_ids(sound))
            self._open([entry for entry in sound if entry.given.get("id") not in stored])

    def load_batch(self, entries: Sequence[Entry]) -> None:
        placed = self._placed(entries)
        lines_of_rows = [list(lines(row, entry.given.get("transactions", ()), self.problems)) for entry, row in placed]
        bookings = Bookings([line for of_row in lines_of_rows for line in of_row], self._claims, self.problems)
        changed = []
        for (entry, row), of_row in zip(placed, lines_of_rows, strict=True):
            is_other = not same(row.metadata, entry.given.get("metadata", row.metadata))
            if is_other:
                changed.append({"id": row.pk, "metadata": entry.given["metadata"], "updated_at": now()})
            self._count(row, is_changed=bookings.book(of_row) or is_other)
        raw_rows.update(StoreCreditAccount, changed)
        bookings.write()

    @classmethod
    def dump(cls, *, with_credentials: bool) -> Iterator[JSONObject]:
        rows = StoreCreditAccount.objects.not_deleted().filter(customer__deleted_at=None, customer__isnull=False)
        of_customers = rows.select_related("customer").order_by("pk").iterator(chunk_size=BATCH)
        while batch := list(islice(of_customers, BATCH)):
            entries, buyers = dumped_by_account([row.pk for row in batch]), names(row.customer for row in batch)
            for row in batch:
                yield {
                    "id": row.pk,
                    "customer": buyers[row.customer_id],
                    "currency_code": row.currency_id,
                    "metadata": row.metadata,
                    "transactions": entries[row.pk],
                    "created_at": isoformat(row.created_at),
                }

    def _placed(self, entries: Sequence[Entry]) -> list[tuple[Entry, StoreCreditAccount]]:
        """The valid objects with their accounts, which are locked."""
        stored = lock_accounts(_ids(entries))
        for entry in entries:
            self._check(entry, stored.get(entry.given.get("id", "")))
        sound = [entry for entry in entries if entry.is_sound]
        opened = self._open([entry for entry in sound if entry.given.get("id") not in stored])
        placed = [(entry, stored.get(entry.given.get("id", "")) or opened[_owner(entry)]) for entry in sound]
        for entry, row in placed:
            if self._claims.setdefault(row.pk, entry.path) != entry.path:
                self.refuse(entry, f"already appears at {self._claims[row.pk]}")
        return [(entry, row) for entry, row in placed if entry.is_sound]

    def _check(self, entry: Entry, stored: StoreCreditAccount | None) -> None:
        """Add a problem for a missing owner, or one that differs from the stored account's."""
        if stored is None:
            self.require(entry, "customer", "currency_code")
        elif stored.gift_card_id:
            self.refuse(entry, f"belongs to the account of gift card {stored.gift_card_id}", field="id")
        else:
            for field, own in (("customer", stored.customer_id), ("currency_code", stored.currency_id)):
                if entry.given.get(field, own) != own:
                    self.refuse(entry, f"account {stored.pk} has {own}, which cannot change", field=field)

    def _open(self, entries: Sequence[Entry]) -> dict[Owner, StoreCreditAccount]:
        found, made = open_accounts(
            {_owner(entry): entry for entry in entries if {"customer", "currency_code"} <= entry.given.keys()}
        )
        self._opened |= made
        return found

    def _count(self, row: StoreCreditAccount, *, is_changed: bool) -> None:
        is_new = row.pk in self._opened
        self.counts.created += is_new
        self.counts.updated += is_changed and not is_new
        self.counts.unchanged += not is_changed and not is_new


def _owner(entry: Entry) -> Owner:
    return entry.given["customer"], entry.given["currency_code"]


def _ids(entries: Iterable[Entry]) -> list[str]:
    return [entry.given["id"] for entry in entries if "id" in entry.given]


def _without_transactions(raw: object) -> object:
    return {name: raw[name] for name in raw if name != "transactions"} if isinstance(raw, dict) else raw
