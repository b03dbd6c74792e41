"""The only module that writes entries. Amounts are integers of 1/10,000 major unit.

Callers hold a transaction and lock an account before they take from it. The database adds each entry to the totals of
its group and account, and refuses one that would make a balance negative (giftcards/triggers).
Why: docs/decisions/gift-cards.md#entries-are-only-ever-added,
docs/decisions/gift-cards.md#every-source-of-credit-has-a-group.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.db.models import F, QuerySet

from giftcards.errors import AccountFull, AccountNotFound, BalanceTooLow
from giftcards.ledger.references import Reference
from giftcards.models import StoreCreditAccount, Transaction, TransactionGroup
from giftcards.states import EntryType
from kit.reads.sql.keyed_rows import KeyedRows
from kit.values.ids import new_id
from kit.values.timestamps import now
from kit.writes import raw_rows


@dataclass(frozen=True, slots=True)
class Account:
    """A locked account. credits, debits: all that was ever added to and taken from it; held: by attempts.

    Amounts are in 1/10,000.
    """

    id: str
    customer_id: str | None
    currency_code: str
    credits: int
    debits: int
    held: int

    @property
    def available(self) -> int:
        """The balance without what is held."""
        return self.credits - self.debits - self.held


@dataclass(frozen=True, slots=True)
class Credit:
    """An amount that becomes a new group of the account.

    source: names the group; each source can do so once. entry: what the entry is for.
    """

    account: Account
    source: Reference
    amount: int
    entry: Reference


@dataclass(frozen=True, slots=True)
class EntryDetails:
    """What an entry holds beside its reference. created_by: the id of the staff user who made it."""

    note: str | None = None
    created_by: str | None = None


class _Group(NamedTuple):
    id: str
    account_id: str
    credits: int
    debits: int


class _Part(NamedTuple):
    """What an entry adds to a group, or takes from it."""

    group_id: str
    amount: int
    entry: Reference


class _Booked(NamedTuple):
    account_id: str
    amount: int


_NO_DETAILS = EntryDetails()
MAX_CREDITED = 2**63 - 1
"""The largest total of an account's credits that the column can hold."""


def lock_account(account_id: str) -> Account:
    """The account, locked until the transaction ends. Raises AccountNotFound. One statement."""
    for account in _BY_ID.read([account_id]):
        return account
    raise AccountNotFound(account_id)


def lock_accounts(account_ids: Sequence[str]) -> dict[str, Account]:
    """The accounts with these ids, locked in the order of their ids. One statement."""
    return {account.id: account for account in _BY_ID.read(account_ids)}


def lock_account_of(customer_id: str, currency_code: str) -> Account | None:
    """The customer's account in that currency, locked, or None. One statement."""
    return next(iter(_BY_CUSTOMER.read([customer_id], currency_code)), None)


def open_account(*, currency_code: str, customer_id: str | None = None, gift_card_id: str | None = None) -> Account:
    """The account of a customer, or of a card that a guest spends; locked, and created if there is none.

    Of concurrent callers one creates it and the others wait, since owners are unique.
    """
    found = _find(currency_code, customer_id, gift_card_id)
    if found is None:
        made = StoreCreditAccount(customer_id=customer_id, gift_card_id=gift_card_id, currency_id=currency_code)
        StoreCreditAccount.objects.bulk_create([made], ignore_conflicts=True)
        found = _find(currency_code, customer_id, gift_card_id)
    assert found is not None  # noqa: S101 - created here or by a concurrent caller
    return found


def account_id_of(customer_id: str, currency_code: str) -> str:
    """The id of the customer's account in that currency, which is created if there is none, and not locked."""
    owned = _IDS_BY_CUSTOMER.read([customer_id], currency_code)
    if not owned:
        made = StoreCreditAccount(customer_id=customer_id, currency_id=currency_code)
        StoreCreditAccount.objects.bulk_create([made], ignore_conflicts=True)
        owned = _IDS_BY_CUSTOMER.read([customer_id], currency_code)
    return str(owned[0][0])


def open_guest_accounts(card_ids: Sequence[str], currency_code: str) -> dict[str, Account]:
    """New accounts of locked cards that have none, by the cards' ids. One statement."""
    moment = now()
    accounts = {card_id: Account(new_id("sc_acc"), None, currency_code, 0, 0, 0) for card_id in card_ids}
    empty = {"customer_id": None, "credits": 0, "debits": 0, "held": 0, "metadata": None}
    rows = [
        {"id": account.id, "gift_card_id": card_id, "currency_id": currency_code, **empty, **_dates(moment)}
        for card_id, account in accounts.items()
    ]
    raw_rows.insert(StoreCreditAccount, rows)
    return accounts


def credit(credits: Sequence[Credit], details: EntryDetails = _NO_DETAILS) -> None:
    """Add the amounts, each as a new group. Raises AccountFull. Two statements."""
    total, moment = Counter[str](), now()
    groups, parts = [], []
    for each in credits:
        total[each.account.id] += each.amount
        if each.account.credits + total[each.account.id] > MAX_CREDITED:
            raise AccountFull
        group_id, named = new_id("sc_trxg"), {"account_id": each.account.id, "code": each.source.code}
        groups.append({"id": group_id, **named, "credits": 0, "debits": 0, "metadata": None, **_dates(moment)})
        parts.append(_Part(group_id, each.amount, each.entry))
    raw_rows.insert(TransactionGroup, groups)
    _add(EntryType.CREDIT, parts, details)


def debit(amounts: Sequence[tuple[Account, int]], *, entry: Reference, details: EntryDetails = _NO_DETAILS) -> None:
    """Take the amounts from the groups of the locked accounts, oldest first. Each account is named once.

    Raises BalanceTooLow. Two statements.
    """
    missing = {account.id: amount for account, amount in amounts}
    if any(amount > account.available for account, amount in amounts):
        raise BalanceTooLow
    taken = []
    for group in sorted(_GROUPS.read(list(missing))):
        part = min(group.credits - group.debits, missing[group.account_id])
        if part:
            taken.append(_Part(group.id, part, entry))
            missing[group.account_id] -= part
    assert not any(missing.values())  # noqa: S101 - triggers keep the groups of an account adding up to it
    _add(EntryType.DEBIT, taken, details)


def settled(entry: Reference, entry_type: EntryType) -> Counter[str]:
    """The total booked for that reference, by account. One statement."""
    found: Counter[str] = Counter()
    for booked in _ENTRIES.read([entry.id], entry.kind, entry_type.value):
        found[booked.account_id] += booked.amount
    return found


def _add(entry_type: EntryType, parts: Sequence[_Part], details: EntryDetails) -> None:
    moment = now()
    rows = [
        {
            "id": new_id("sc_trx"),
            "group_id": part.group_id,
            "type": entry_type.value,
            "amount": part.amount,
            "reference": part.entry.kind,
            "reference_id": part.entry.id,
            "note": details.note,
            "created_by": details.created_by,
            "created_at": moment,
        }
        for part in parts
    ]
    raw_rows.insert(Transaction, rows)


def _dates(moment: datetime) -> dict[str, datetime | None]:
    return {"created_at": moment, "updated_at": moment, "deleted_at": None}


def _find(currency_code: str, customer_id: str | None, gift_card_id: str | None) -> Account | None:
    if customer_id is not None:
        return lock_account_of(customer_id, currency_code)
    return next(iter(_BY_CARD.read([gift_card_id])), None) if gift_card_id is not None else None


COLUMNS = ("id", "customer_id", "currency_id", "credits", "debits", "held")
"""The columns of an Account, in its order."""
_BY_ID = KeyedRows(StoreCreditAccount.objects.not_deleted, key="id", row=Account, columns=COLUMNS, locked=True)
_BY_CARD = KeyedRows(
    StoreCreditAccount.objects.not_deleted, key="gift_card_id", row=Account, columns=COLUMNS, locked=True
)


def _in_currency(currency_code: str) -> QuerySet[StoreCreditAccount]:
    return StoreCreditAccount.objects.not_deleted().filter(currency_id=currency_code)


_BY_CUSTOMER = KeyedRows(_in_currency, key="customer_id", row=Account, columns=COLUMNS, locked=True)
_IDS_BY_CUSTOMER = KeyedRows(_in_currency, key="customer_id", columns=("id",))
_GROUPS = KeyedRows(
    lambda: TransactionGroup.objects.not_deleted().filter(credits__gt=F("debits")),
    key="account_id",
    row=_Group,
)
_ENTRIES = KeyedRows(
    lambda kind, entry_type: Transaction.objects.filter(reference=kind, type=entry_type),
    key="reference_id",
    row=_Booked,
    columns=("group__account_id", "amount"),
)
