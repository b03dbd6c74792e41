"""The only module that writes entries. Amounts are integers of 1/10,000 major unit.

Callers hold a transaction and lock an account before they take from it. The database adds each entry to the totals of
its group and account, and refuses one that would make a balance negative (giftcards/triggers).
Source: behaviour.md 0.24.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.db.models import F

from commerce.kit.core import raw_rows
from commerce.kit.core.ids import new_id
from commerce.kit.core.timestamps import now
from commerce.kit.projection.keyed_rows import KeyedRows
from giftcards.errors import AccountFull, AccountNotFound, BalanceTooLow
from giftcards.models import StoreCreditAccount, Transaction, TransactionGroup
from giftcards.references import Reference
from giftcards.states import EntryType


@dataclass(frozen=True, slots=True)
class Account:
    """A locked account. credits, debits: all that was ever added to and taken from it, in 1/10,000."""

    id: str
    customer_id: str | None
    currency_code: str
    credits: int
    debits: int

    @property
    def balance(self) -> int:
        """In 1/10,000."""
        return self.credits - self.debits


@dataclass(frozen=True, slots=True)
class EntryDetails:
    """What an entry holds beside its reference. created_by: the id of the staff user who made it."""

    note: str | None = None
    created_by: str | None = None


class _Group(NamedTuple):
    id: str
    credits: int
    debits: int


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


def credit(
    account: Account, source: Reference, amount: int, *, entry: Reference, details: EntryDetails = _NO_DETAILS
) -> str:
    """Add the amount to the account as a new group for that source; returns the group's id.

    source: names the group; each source can do so once. entry: what the entry is for.
    Raises AccountFull. Two statements.
    """
    if account.credits + amount > MAX_CREDITED:
        raise AccountFull
    group_id, moment = new_id("sc_trxg"), now()
    group = {"id": group_id, "account_id": account.id, "code": source.code, "credits": 0, "debits": 0, "metadata": None}
    raw_rows.insert(TransactionGroup, [{**group, "created_at": moment, "updated_at": moment, "deleted_at": None}])
    _add(EntryType.CREDIT, [(group_id, amount)], entry, details)
    return group_id


def debit(account: Account, amount: int, *, entry: Reference, details: EntryDetails = _NO_DETAILS) -> None:
    """Take the amount from the groups of the locked account, oldest first.

    Raises BalanceTooLow. Two statements.
    """
    if amount > account.balance:
        raise BalanceTooLow
    taken, missing = [], amount
    for group in sorted(_GROUPS.read([account.id])):
        part = min(group.credits - group.debits, missing)
        if part:
            taken.append((group.id, part))
            missing -= part
    assert missing == 0  # noqa: S101 - triggers keep the groups of an account adding up to it
    _add(EntryType.DEBIT, taken, entry, details)


def settled(entry: Reference, entry_type: EntryType) -> Counter[str]:
    """The total booked for that reference, by account. One statement."""
    found: Counter[str] = Counter()
    for booked in _ENTRIES.read([entry.id], entry.kind, entry_type.value):
        found[booked.account_id] += booked.amount
    return found


def _add(entry_type: EntryType, parts: Sequence[tuple[str, int]], entry: Reference, details: EntryDetails) -> None:
    moment = now()
    rows = [
        {
            "id": new_id("sc_trx"),
            "group_id": group_id,
            "type": entry_type.value,
            "amount": amount,
            "reference": entry.kind,
            "reference_id": entry.id,
            "note": details.note,
            "created_by": details.created_by,
            "created_at": moment,
        }
        for group_id, amount in parts
    ]
    raw_rows.insert(Transaction, rows)


def _find(currency_code: str, customer_id: str | None, gift_card_id: str | None) -> Account | None:
    if customer_id is not None:
        return lock_account_of(customer_id, currency_code)
    return next(iter(_BY_CARD.read([gift_card_id])), None) if gift_card_id is not None else None


COLUMNS = ("id", "customer_id", "currency_id", "credits", "debits")
"""The columns of an Account, in its order."""
_BY_ID = KeyedRows(StoreCreditAccount.objects.not_deleted, key="id", row=Account, columns=COLUMNS, locked=True)
_BY_CARD = KeyedRows(
    StoreCreditAccount.objects.not_deleted, key="gift_card_id", row=Account, columns=COLUMNS, locked=True
)
_BY_CUSTOMER = KeyedRows(
    lambda currency_code: StoreCreditAccount.objects.not_deleted().filter(currency_id=currency_code),
    key="customer_id",
    row=Account,
    columns=COLUMNS,
    locked=True,
)
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
