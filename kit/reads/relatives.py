"""The related rows of a response: one statement per relation, whatever the number of rows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from kit.database.raw_sql import Row
from kit.domain.actor import Actor
from kit.reads.declarations.computed import Batch
from kit.reads.declarations.fields import ToMany, ToOne
from kit.reads.declarations.visibility import visible
from kit.reads.plans.bounds import AnswerLimit, check_size, too_many
from kit.reads.plans.levels import BatchCell, Join, Level
from kit.reads.plans.related_order import arrange
from kit.reads.plans.rows import Answer
from kit.reads.sql import statements
from kit.reads.sql.placeholders import ActorShape, NoPlaceholder, Placeholders, Slot, actor_shape, actor_values


@dataclass(slots=True)
class Reader:
    """One answer being read: who asks, whether deleted rows show, what batch functions may know, rows still allowed.

    known: the context, to which batch functions may add; that of the query may be kept for later requests.
    """

    actor: Actor
    with_deleted: bool = False
    context: Mapping[str, object] = field(default_factory=dict)
    answer_limit: AnswerLimit = field(default_factory=AnswerLimit)
    rows_left: int = field(init=False)
    known: dict[str, Any] = field(init=False)
    depth: int = field(init=False, default=0)
    """How many relations lie between the answer's own rows and those that are read now."""

    def __post_init__(self) -> None:
        self.rows_left = self.answer_limit.left
        self.known = dict(self.context)

    def read(self, level: Level, rows: Sequence[Row]) -> list[Answer]:
        """The answer's own rows as objects, with everything below them. Raises InvalidData if that is too much."""
        answers = self.answers(level, rows)
        check_size(level, answers, self.answer_limit)
        return answers

    def answers(self, level: Level, rows: Sequence[Row]) -> list[Answer]:
        """Rows of any level as objects, with everything below them."""
        answers = list(map(level.build, rows))
        if rows:
            for join in level.joins:
                self._attach(join, rows, answers)
            for cell in level.batches:
                self._compute(cell, rows, answers)
        return answers

    def _attach(self, join: Join, rows: Sequence[Row], answers: Sequence[Answer]) -> None:
        self.depth += 1
        self._attach_related(join, rows, answers)
        self.depth -= 1

    def _attach_related(self, join: Join, rows: Sequence[Row], answers: Sequence[Answer]) -> None:
        many = join.relation.many
        if join.path is None:
            attach = self._attach_lists if many else self._attach_single
            attach(join, rows, answers)
        else:
            paths = [row[join.path] for row in rows]
            widened = self._attach_trees if many else self._attach_chains
            widened(join, paths, rows, answers)

    def _attach_single(self, join: Join, rows: Sequence[Row], answers: Sequence[Answer]) -> None:
        keys = {row[join.near] for row in rows}
        keys.discard(None)
        by_key: dict[object, Answer] = {}
        if join.at_hand:
            by_key = {row[join.far]: join.level.build(row) for row in rows if row[join.far] in keys}
        related = self._related_rows(join, [key for key in keys if key not in by_key])
        for row, answer in zip(related, self.answers(join.level, related), strict=True):
            by_key[row[join.far]] = answer
        for row, answer in zip(rows, answers, strict=True):
            answer[join.name] = by_key.get(row[join.near])

    def _attach_lists(self, join: Join, rows: Sequence[Row], answers: Sequence[Answer]) -> None:
        known = join.present_if
        holders = [row for row in rows if any(row[each] for each in known)] if known else rows
        related = self._related_rows(join, [row[join.near] for row in holders])
        lists = self._lists(join, related)
        for row, answer in zip(rows, answers, strict=True):
            answer[join.name] = lists.get(row[join.near]) or []

    def _attach_chains(self, join: Join, paths: Sequence[str], rows: Sequence[Row], answers: Sequence[Answer]) -> None:
        """All ancestors: their ids are in the row's path."""
        parent = join.level.columns.index(join.relation.key)
        ancestors = {key for path in paths for key in path.split(".")[:-1]}
        related = self._related_rows(join, list(ancestors))
        above = self.answers(join.level, related)
        by_key = {row[join.far]: answer for row, answer in zip(related, above, strict=True)}
        for row, answer in zip(related, above, strict=True):
            answer[join.name] = by_key.get(row[parent])
        for row, answer in zip(rows, answers, strict=True):
            answer[join.name] = by_key.get(row[join.near])

    def _attach_trees(self, join: Join, paths: Sequence[str], rows: Sequence[Row], answers: Sequence[Answer]) -> None:
        """All descendants: their paths lie in a range of the row's."""
        own = join.level.columns.index(join.level.key)
        related = self._related_rows(join, _topmost(paths))
        arrange(related, join.sorting)
        below = self.answers(join.level, related)
        children: dict[object, list[Answer]] = {}
        for row, answer in zip(related, below, strict=True):
            children.setdefault(row[join.far], []).append(answer)
        for row, answer in zip(related, below, strict=True):
            answer[join.name] = children.get(row[own]) or []
        for row, answer in zip(rows, answers, strict=True):
            answer[join.name] = children.get(row[join.near]) or []

    def _lists(self, join: Join, related: list[Row]) -> dict[object, list[Answer]]:
        arrange(related, join.sorting)
        lists: dict[object, list[Answer]] = {}
        for row, answer in zip(related, self.answers(join.level, related), strict=True):
            lists.setdefault(row[join.far], []).append(answer)
        return lists

    def _related_rows(self, join: Join, keys: list[str]) -> list[Row]:
        if not keys:
            return []
        actor = self._actor_for(join)
        statement = _kept_statement(join, actor_shape(actor), self.with_deleted)
        if statement is None:
            statement = _statement(join, actor, self.with_deleted)
        values = (statements.array(keys), *actor_values(actor))
        related = statement.run(values, self.rows_left + 1) if statement else []
        self.rows_left -= len(related)
        if self.rows_left < 0:
            raise too_many(join.name)
        return related

    def _actor_for(self, join: Join) -> Actor:
        """Who reads the relation. A lent permission is for a row and its relatives, not for other rows of its table."""
        meta = join.level.model._meta
        if self.depth > 1 and self.actor.own and self.actor.lent == f"{meta.app_label}.view_{meta.model_name}":
            return self.actor.own
        return self.actor

    def _compute(self, cell: BatchCell, rows: Sequence[Row], answers: Sequence[Answer]) -> None:
        values = cell.load(Batch(list(map(cell.take, rows)), self.actor, self.known, cell.selection))
        if cell.finish is not None:
            values = list(map(cell.finish, values))
        for name in cell.names:
            for answer, value in zip(answers, values, strict=True):
                answer[name] = value


@lru_cache(maxsize=512)
def _kept_statement(join: Join, shape: ActorShape, with_deleted: bool) -> statements.Statement | None:
    """The relation's statement for every caller of that shape; None where a rule changes its values on the link."""
    placeholders = Placeholders()
    try:
        statement = _statement(join, placeholders.actor(shape, first_slot=1), with_deleted)
        if statement is None:
            return None
        return statements.Statement(statement.text, placeholders.template(statement.parameters, required=range(0)))
    except NoPlaceholder:
        return None


def _statement(join: Join, actor: Actor, with_deleted: bool) -> statements.Statement | None:
    """The relation's statement, its keys in slot 0; run it with the number of rows allowed behind."""
    keys = Slot(0)
    queryset = visible(join.level.model, actor, with_deleted=with_deleted)
    if isinstance(join.relation, ToOne | ToMany):
        queryset = queryset.filter(join.relation.only)
    if join.path is not None and join.relation.many:
        rows = statements.of(queryset, join.level.columns)
        table = join.level.model._meta.db_table
        below = rows and statements.below_prefixes(rows, table, str(join.relation.path), keys)
        return below and statements.limited(below)
    far = join.level.columns[join.far]
    rows = statements.of(queryset.filter(**{f"{far}__in": [statements.KEYS]}), join.level.columns)
    return rows and statements.limited(statements.with_keys(rows, keys))


def _topmost(paths: Sequence[str]) -> list[str]:
    """The paths that lie below no other of them, so that overlapping branches are read once."""
    kept: list[str] = []
    for path in sorted(f"{path}." for path in paths):  # with its dot, a branch stands right before all that is below it
        if not kept or not path.startswith(kept[-1]):
            kept.append(path)
    return [path[:-1] for path in kept]
