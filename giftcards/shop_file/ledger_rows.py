"""The rows of the ledger that a batch of a shop file refers to."""

from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeVar

from django.db.models import F

from giftcards.models import Transaction, TransactionGroup
from giftcards.shop_file.entries import Line, Reason
from kit.editing.changes import BATCH

Each = TypeVar("Each")


@dataclass(slots=True)
class Group:
    """A group, stored or new. left: its balance in major units."""

    id: str
    account_id: str
    code: str
    left: Decimal


class LedgerRows:
    """Read with a few statements per BATCH lines. Callers hold the lines' accounts locked.

    entries: by id, those with the lines' ids, of any account. reasons: by what the parts of a debit share, oldest
    first. groups: by code, those that lines name, of any account, and all in `open`. open: by account and oldest first,
    the groups that debits without a group can take from. group_ids: the lines' ids of groups that exist.
    """

    def __init__(self, lines: Sequence[Line]) -> None:
        self.entries: dict[str, Transaction] = {}
        self.reasons: dict[Reason, list[Transaction]] = {}
        self.groups: dict[str, Group] = {}
        self.open: defaultdict[str, deque[Group]] = defaultdict(deque)
        self.group_ids: set[str] = set()
        for batch in _batches(lines):
            self._find_ids(batch)
            self._find_reasons(batch)
            self._find_groups(batch)
        for some in _batches(sorted({line.account.pk for line in lines if line.code is None})):
            groups = TransactionGroup.objects.filter(account__in=some, credits__gt=F("debits"))
            for row in groups.order_by("pk"):
                self.enter(_group(row))

    def enter(self, group: Group) -> None:
        """Add a group. Debits that name no group take from groups in the order of their addition."""
        known = self.groups.setdefault(group.code, group)
        self.open[known.account_id].append(known)

    def _find_ids(self, lines: Sequence[Line]) -> None:
        ids, group_ids = (
            [line.entry.given[name] for line in lines if name in line.entry.given] for name in ("id", "group_id")
        )
        rows = Transaction.objects.select_related("group").filter(pk__in=ids)
        self.entries.update({row.pk: row for row in rows} if ids else {})
        taken = TransactionGroup.objects.filter(pk__in=group_ids).values_list("pk", flat=True)
        self.group_ids.update(taken if group_ids else ())

    def _find_reasons(self, lines: Sequence[Line]) -> None:
        """Read each reason once: the rows of known reasons are not added again."""
        missing = {line.reason for line in lines} - self.reasons.keys()
        accounts, _, kinds, ids = map(set, zip(*missing, strict=True)) if missing else ((), (), (), ())
        rows = Transaction.objects.filter(reference__in=kinds, reference_id__in=ids, group__account__in=accounts)
        self.reasons.update({reason: [] for reason in missing})
        for row in rows.select_related("group").order_by("pk") if missing else ():
            reason = (row.group.account_id, row.type, row.reference, row.reference_id)
            if reason in missing:
                self.reasons[reason].append(row)

    def _find_groups(self, lines: Sequence[Line]) -> None:
        codes = {line.code for line in lines if line.code is not None} - self.groups.keys()
        for row in TransactionGroup.objects.filter(code__in=codes) if codes else ():
            self.groups[row.code] = _group(row)


def _group(row: TransactionGroup) -> Group:
    return Group(row.pk, row.account_id, row.code, row.balance)


def _batches(rows: Sequence[Each]) -> Iterator[Sequence[Each]]:
    return (rows[start : start + BATCH] for start in range(0, len(rows), BATCH))
