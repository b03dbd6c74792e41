"""Booking many entries of a shop file at once.

Rows are written with a statement per table, and the database adds them up (giftcards/triggers). What it would refuse
is reported before, by path.
"""

from collections.abc import Hashable, Iterable, Sequence
from decimal import Decimal

from giftcards.ledger.ledger import MAX_CREDITED
from giftcards.models import Transaction, TransactionGroup
from giftcards.shop_file.entries import Line
from giftcards.shop_file.ledger_rows import Group, LedgerRows
from giftcards.states import EntryType
from kit.editing.changes import Changes
from kit.shop_file.problems import Problems
from kit.shop_file.values import written
from kit.values import money
from kit.values.ids import new_id
from kit.values.timestamps import now

_MOST = money.major(MAX_CREDITED)

Claims = dict[Hashable, str]
"""The identities that objects of the file have claimed, each with the path of the first that did."""


class Bookings:
    """The lines of a batch, each either a known entry of the ledger or a new one. `write` creates the new ones."""

    def __init__(self, lines: Sequence[Line], claims: Claims, problems: Problems) -> None:
        """claims: of the whole load. Callers hold the lines' accounts locked."""
        self._problems = problems
        self._claims = claims
        self._rows = LedgerRows(lines)
        self._credited = {line.account.pk: line.account.credits for line in lines}
        self._left = {line.account.pk: line.account.available for line in lines}
        self._groups = Changes(TransactionGroup)
        self._entries = Changes(Transaction)

    def book(self, lines: Iterable[Line]) -> bool:
        """Book the lines in order; returns whether any of them is new."""
        new = [line for line in lines if self._is_new(line)]
        return bool(new)

    def write(self) -> None:
        """Write the new entries, once."""
        self._groups.write()
        self._entries.write()

    def _is_new(self, line: Line) -> bool:
        given_id = line.entry.given.get("id")
        if given_id and not self._claim(line, given_id):
            return False
        known = self._known(line)
        if known:
            self._compare(line, known)
            return False
        if line.type == EntryType.CREDIT:
            self._credit(line)
        else:
            self._debit(line)
        return True

    def _known(self, line: Line) -> Sequence[Transaction]:
        """The line's entries in the ledger: by id, otherwise by reference, in the named group or in all."""
        given_id, alike = line.entry.given.get("id"), self._rows.reasons[line.reason]
        if given_id in self._rows.entries:
            return [self._rows.entries[given_id]]
        if line.is_named:
            return [row for row in alike if row.group.code == line.code]
        if given_id:
            return []
        return alike[line.ordinal : line.ordinal + 1] if line.type == EntryType.CREDIT else alike

    def _compare(self, line: Line, known: Sequence[Transaction]) -> None:
        """Add a problem if the line differs from its entry, which cannot change."""
        row, path = known[0], line.entry.path
        if (row.group.account_id, row.type, row.reference, row.reference_id) != line.reason:
            self._problems.add(f"{path}.id", f"belongs to {row.type} {row.reference} {row.reference_id}")
        elif line.is_named and row.group.code != line.code:
            self._problems.add(f"{path}.group", f"the entry is in {row.group.code}, which cannot change")
        elif sum(each.amount for each in known) != line.amount:
            booked = sum((each.amount for each in known), start=Decimal(0))
            self._problems.add(f"{path}.amount", f"{written(booked)} is already booked, which cannot change")
        else:
            for each in known:
                self._claim(line, each.pk)

    def _credit(self, line: Line) -> None:
        code, given, path = line.code, line.entry.given, line.entry.path
        assert code is not None  # noqa: S101 - a credit makes a group
        group_id = given.get("group_id") or new_id("sc_trxg")
        self._credited[line.account.pk] += line.amount
        if code in self._rows.groups:
            self._problems.add(f"{path}.group", f"'{code}' belongs to another credit")
        elif group_id in self._rows.group_ids:
            self._problems.add(f"{path}.group_id", "belongs to another group")
        elif self._credited[line.account.pk] > _MOST:
            self._problems.add(f"{path}.amount", "would exceed the account's maximum")
        elif self._claim(line, group_id):
            moment = given.get("created_at") or now()
            self._groups.make(id=group_id, account_id=line.account.pk, code=code, created_at=moment)
            self._rows.enter(Group(group_id, line.account.pk, code, Decimal(0)))
            self._add(line, self._rows.groups[code], line.amount)

    def _debit(self, line: Line) -> None:
        if not self._claim(line, (line.reason, line.code)):
            return
        parts = self._named_part(line) if line.code else self._amounts_by_group(line)
        if len(parts) > 1 and "id" in line.entry.given:
            self._problems.add(f"{line.entry.path}.id", "names one entry, but the debit is split over several")
            return
        taken_from = {row.group.code for row in self._rows.reasons[line.reason]}
        for group, amount in parts:
            if group.code in taken_from:
                self._problems.add(line.entry.path, f"another entry already took this from '{group.code}'")
            elif self._claim(line, (line.reason, group.code)):
                self._add(line, group, -amount)

    def _named_part(self, line: Line) -> Sequence[tuple[Group, Decimal]]:
        group = self._rows.groups.get(line.code or "")
        if group is None or group.account_id != line.account.pk:
            self._problems.add(f"{line.entry.path}.group", f"the account has no group '{line.code}'")
        elif line.amount > group.left:
            self._problems.add(
                f"{line.entry.path}.amount", f"is more than the {written(group.left)} left in '{line.code}'"
            )
        elif line.amount > self._left[line.account.pk]:
            self._refuse_beyond(line)
        else:
            return [(group, line.amount)]
        return ()

    def _amounts_by_group(self, line: Line) -> Sequence[tuple[Group, Decimal]]:
        """The amounts that the debit takes from groups, oldest first."""
        left = self._left[line.account.pk]
        if line.amount > left:
            self._refuse_beyond(line)
            return ()
        groups, missing, parts = self._rows.open[line.account.pk], line.amount, []
        while missing:
            part = min(groups[0].left, missing)
            if part:
                parts.append((groups[0], part))
                missing -= part
            if missing:
                groups.popleft()
        return parts

    def _refuse_beyond(self, line: Line) -> None:
        left = written(self._left[line.account.pk])
        self._problems.add(f"{line.entry.path}.amount", f"is more than the {left} left on the account")

    def _add(self, line: Line, group: Group, change: Decimal) -> None:
        given = line.entry.given
        values = {name: given[name] for name in ("id", "created_at", "note", "created_by") if name in given}
        group.left += change
        self._left[line.account.pk] += change
        self._entries.make(
            **values,
            group_id=group.id,
            type=line.type,
            amount=abs(change),
            reference=line.reference.kind,
            reference_id=line.reference.id,
        )

    def _claim(self, line: Line, identity: Hashable) -> bool:
        """Whether the line is the first of the file with that identity; adds a problem if it is not."""
        first = self._claims.setdefault(identity, line.entry.path)
        if first != line.entry.path:
            self._problems.add(line.entry.path, f"already appears at {first}")
        return first == line.entry.path
