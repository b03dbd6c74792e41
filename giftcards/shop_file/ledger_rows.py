"""What the ledger has already of what a batch of a shop file says."""

from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeVar

from django.db.models import F

from commerce.kit.shop_file.writing import BATCH
from giftcards.models import Transaction, TransactionGroup
from giftcards.shop_file.entries import Line, Reason

Each = TypeVar("Each")


@dataclass(slots=True)
class Group:
    """A group, stored or about to be. left: in major units."""

    id: str
    account_id: str
    code: str
    left: Decimal


class LedgerRows:
    """Looked up by a few statements for each BATCH lines. Whoever asks holds the lines' accounts locked.

    entries: by id, those of the lines' ids, of whichever account. reasons: by what parts of a debit have in common,
    oldest first. groups: by code, those that lines name, of whichever account, and all in `open`. open: by account and
    oldest first, what debits that name no group can take from. group_ids: those of the lines' that are taken.
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
        """Let the group be known; what names no group takes from it after those entered before."""
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
        """Each reason is asked for once: the rows of one that is known are not added again."""
        asked = {line.reason for line in lines} - self.reasons.keys()
        accounts, _, kinds, ids = (set(column) for column in zip(*asked, strict=True)) if asked else ((), (), (), ())
        rows = Transaction.objects.filter(reference__in=kinds, reference_id__in=ids, group__account__in=accounts)
        self.reasons.update({reason: [] for reason in asked})
        for row in rows.select_related("group").order_by("pk") if asked else ():
            reason = (row.group.account_id, row.type, row.reference, row.reference_id)
            if reason in asked:
                self.reasons[reason].append(row)

    def _find_groups(self, lines: Sequence[Line]) -> None:
        codes = {line.code for line in lines if line.code is not None} - self.groups.keys()
        for row in TransactionGroup.objects.filter(code__in=codes) if codes else ():
            self.groups[row.code] = _group(row)


def _group(row: TransactionGroup) -> Group:
    return Group(row.pk, row.account_id, row.code, row.balance)


def _batches(rows: Sequence[Each]) -> Iterator[Sequence[Each]]:
    return (rows[start : start + BATCH] for start in range(0, len(rows), BATCH))
