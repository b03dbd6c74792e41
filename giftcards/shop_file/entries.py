"""Ledger entries in the shop file."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from giftcards.ledger.adjustment import MAX_REASON_LENGTH
from giftcards.ledger.references import GIFT_CARD, Reference
from giftcards.models import StoreCreditAccount, Transaction
from giftcards.shop_file.amounts import paid
from giftcards.states import EntryType
from kit.shop_file.problems import Problems
from kit.shop_file.values import Amount, Choice, DateTime, Entry, Id, Text, Value, written
from kit.values.ids import ID_MAX_LENGTH
from kit.values.json import JSON, JSONObject
from kit.values.text import LONGEST
from kit.values.timestamps import isoformat

CREDIT: Mapping[str, Value] = {
    "id": Id(prefix="sc_trx"),
    "group_id": Id(prefix="sc_trxg"),
    "created_at": DateTime(),
}
"""What a gift card declares of the entry that credits it."""

TRANSACTION: Mapping[str, Value] = {
    **CREDIT,
    "type": Choice(required=True, choices=tuple(EntryType.values)),
    "amount": Amount(required=True),
    "reference": Text(required=True, longest=LONGEST, may_be_blank=False),
    "reference_id": Text(required=True, longest=LONGEST, may_be_blank=False),
    "note": Text(nullable=True, longest=MAX_REASON_LENGTH),
    "created_by": Text(nullable=True, longest=ID_MAX_LENGTH),
    "group": Text(longest=LONGEST, may_be_blank=False),
}
"""An entry. group: the code of its group, which a credit creates; a debit without one takes from the oldest first."""


Reason = tuple[str, str, str, str]
"""An account's id, a type, a reference and a reference_id: shared by the parts of a debit."""


@dataclass(frozen=True, slots=True)
class Line:
    """An entry of an account in the file, which the ledger may already have.

    amount: in major units. ordinal: how many entries of its type and reference precede it in the file's list. code: of
    its group; None for a debit that names none. is_named: whether the file names the group.
    """

    entry: Entry
    account: StoreCreditAccount
    type: str
    amount: Decimal
    reference: Reference
    code: str | None
    ordinal: int = 0
    is_named: bool = False

    @property
    def reason(self) -> Reason:
        """What the entry is for."""
        return self.account.pk, self.type, self.reference.kind, self.reference.id


def lines(account: StoreCreditAccount, entries: Iterable[Entry], problems: Problems) -> Iterator[Line]:
    """The valid entries of the account, in order. Adds a problem for each of the others."""
    met: Counter[tuple[str, Reference]] = Counter()
    for entry in entries:
        given = entry.given
        reference = Reference(given["reference"], given["reference_id"])
        ordinal = met[given["type"], reference]
        met[given["type"], reference] += 1
        code = given.get("group") or _code(given["type"], reference, account, ordinal)
        amount = paid(entry, "amount", account.currency_id, problems)
        if not _refused(entry, code, problems) and amount is not None:
            is_named = "group" in given
            yield Line(entry, account, given["type"], amount, reference, code, ordinal, is_named)


def of_card(account: StoreCreditAccount, card_id: str, amount: Decimal, entry: Entry) -> Line:
    """The entry that credits the card. entry: what the file declares of it."""
    reference = Reference(GIFT_CARD, card_id)
    return Line(entry, account, EntryType.CREDIT.value, amount, reference, reference.code, is_named=True)


def dumped(row: Transaction, code: str) -> JSONObject:
    """The entry as an object of the file; code: of its group."""
    is_source = row.type == EntryType.CREDIT
    return {
        "id": row.pk,
        "type": row.type,
        "amount": written(row.amount),
        "reference": row.reference,
        "reference_id": row.reference_id,
        "note": row.note,
        "created_by": row.created_by,
        "group": code,
        **({"group_id": row.group_id} if is_source else {}),
        "created_at": isoformat(row.created_at),
    }


def dumped_by_account(accounts: Sequence[str]) -> dict[str, list[JSON]]:
    """The entries of these accounts, without those that credit gift cards: by group, each with its credit first.

    They can be booked in this order, which need not be that of their ids.
    """
    rows = Transaction.objects.filter(group__account__in=accounts).exclude(type=EntryType.CREDIT, reference=GIFT_CARD)
    found: dict[str, list[JSON]] = {account: [] for account in accounts}
    ordered = rows.select_related("group").order_by("group_id", "type", "pk")
    for row in ordered.iterator():
        found[row.group.account_id].append(dumped(row, row.group.code))
    return found


def _code(entry_type: str, reference: Reference, account: StoreCreditAccount, ordinal: int) -> str | None:
    """The group's code for a credit that names none: the same reference may credit many accounts."""
    if entry_type == EntryType.DEBIT:
        return None
    return f"{reference.code}:{account.pk}:{ordinal + 1}" if ordinal else f"{reference.code}:{account.pk}"


def _refused(entry: Entry, code: str | None, problems: Problems) -> bool:
    given, before = entry.given, problems.count
    is_credit = given["type"] == EntryType.CREDIT
    if given["reference"] == GIFT_CARD:
        problems.add(f"{entry.path}.reference", "is reserved for gift cards: declare the credit on the card")
    elif is_credit and code is not None and code.startswith(f"{GIFT_CARD}:"):
        problems.add(f"{entry.path}.group", "is reserved for gift cards: declare the credit on the card")
    if not is_credit and "group_id" in given:
        problems.add(f"{entry.path}.group_id", "is only allowed on credits")
    if code is not None and len(code) > LONGEST:
        problems.add(f"{entry.path}.reference_id", "is too long to derive a group code from: name a group")
    return problems.count != before
