"""What an app declares so that a spreadsheet can be imported and exported."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

from django.db.models import Model, TextChoices

from kit.domain.actor import Actor
from kit.domain.hooks import Wired
from kit.spreadsheets.columns import Columns

Values = dict[str, Any]
"""Values by field; None for an empty cell. Fields without a column in the file are missing."""
Options = Mapping[str, str]
"""What the person has chosen once for the whole file, by the names of Spreadsheet.options."""


class Result(TextChoices):
    """What an import would do with a record, or has done. SKIPPED: the record has changed since the preview."""

    NEW = "new"
    CHANGED = "changed"
    UNCHANGED = "unchanged"
    PROBLEM = "problem", "With problems"
    SKIPPED = "skipped"


def summary(counts: Mapping[str, int]) -> str:
    """How many records have which result: `3 new, 2 changed, 1 with problems`."""
    return ", ".join(f"{counts[each]:,} {each.label.lower()}" for each in Result if counts.get(each))


@dataclass(frozen=True, slots=True)
class Problem:
    """row: its number in the file. field: of the column, "" for the row as a whole."""

    row: int
    field: str
    message: str


@dataclass(slots=True)
class Record:
    """Consecutive rows about one thing, such as a product and its variants. key: what these rows share.

    is_written: another import of the same file has written it.
    """

    key: str
    rows: list[tuple[int, Values]]
    problems: list[Problem] = field(default_factory=list)
    is_written: bool = False

    @property
    def number(self) -> int:
        """That of its first row."""
        return self.rows[0][0]

    def refuse(self, message: str, field: str = "", row: int | None = None) -> None:
        """Add a problem. row: the first one by default."""
        self.problems.append(Problem(self.number if row is None else row, field, message))


@dataclass(slots=True)
class Planned:
    """What is to be done with a record.

    label: its name in results. id: of the stored row, None for a new one. version: of the stored row as read now; a
    record whose version has changed since the preview is left alone. change: what `write` needs.
    """

    record: Record
    label: str
    id: str | None = None
    version: str = ""
    is_changed: bool = True
    change: Any = None

    @property
    def action(self) -> Result:
        """A record with problems is left alone as a whole."""
        if self.record.problems:
            return Result.PROBLEM
        return Result.NEW if self.id is None else Result.CHANGED if self.is_changed else Result.UNCHANGED


@dataclass(frozen=True, slots=True)
class Written:
    """What `write` did with a record.

    id: of its row. undo_rows: of the file that undoes the change; none for a new record. additions: ids and
    names of new rows within a changed one, such as variants.
    """

    id: str
    undo_rows: Sequence[Values] = ()
    additions: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True, slots=True)
class Option:
    """What is chosen once for a whole import.

    help: a sentence. choices: labels by value; the first is the default in forms. Empty if the value is
    free text, such as an id.
    """

    help: str
    choices: Mapping[str, str] = field(default_factory=dict)

    @property
    def description(self) -> str:
        """The sentence, and what each choice means."""
        return " ".join((self.help, *(f"`{choice}`: {label}." for choice, label in self.choices.items())))


class Importer(ABC):
    """What reads and writes the records of one file, with the options that were chosen for it.

    It may cache rows of other models. claimed: what its records are about, with the row of the first one of each.
    After `write` fails, the import continues with a `renewed` importer.
    """

    def __init__(self, fields: Collection[str], options: Options, actor: Actor) -> None:
        """fields: those that the file has."""
        self.fields, self.options, self.actor = frozenset(fields), options, actor
        self.claimed: dict[Hashable, int] = {}

    def renewed(self) -> Self:
        """A new one for the same file, without what this one has read."""
        return type(self)(self.fields, self.options, self.actor)

    def prepare(self, records: Sequence[Record], go_on: Callable[[], None]) -> None:  # noqa: B027 - few need it
        """Do what may wait for other hosts, before the transaction that writes a batch. Adds problems to the records.

        go_on: to be called every few seconds; it raises if the work must end.
        """

    @abstractmethod
    def plan(self, records: Sequence[Record]) -> list[Planned]:
        """What is to be done with each of some hundred records; adds their problems. Reads, with few statements."""

    @abstractmethod
    def lock(self, ids: Sequence[str]) -> None:
        """Lock the stored rows with these ids until the transaction ends, so that `plan` and `write` see the same."""

    @abstractmethod
    def write(self, planned: Sequence[Planned]) -> list[Written]:
        """Write the new and changed records, all or none, in a transaction. Returns one Written for each, in order.

        Raises DomainError for any one of them; the caller then retries halves of the batch to find it.
        """


class Spreadsheet(ABC):
    """What can be imported and exported, such as products.

    key: its name in models and commands. title: in the plural, for people. options: by name.
    importing, exporting: the permissions that each needs, all of them.
    choosing: the permission that a choice requires, by option and choice.
    revealing: by field (`price` for `price:EUR`), the permission without which exports leave the field out or mask it.
    booked: the fields of which an import books a difference, so that no row of a file may be written twice.
    recorded: the model in whose history exports are logged, for personal data and codes; None for other data.
    """

    key: ClassVar[str]
    title: ClassVar[str]
    options: ClassVar[Mapping[str, Option]] = {}
    importing: ClassVar[Collection[str]]
    exporting: ClassVar[Collection[str]]
    choosing: ClassVar[Mapping[tuple[str, str], str]] = {}
    revealing: ClassVar[Mapping[str, str]] = {}
    booked: ClassVar[Collection[str]] = ()
    recorded: ClassVar[type[Model] | None] = None
    importer: ClassVar[type[Importer]]
    columns: ClassVar[Columns]

    @abstractmethod
    def key_of(self, values: Values) -> str:
        """Consecutive rows with the same key make one record. "" for a row that is a record of its own."""

    def hidden(self, actor: Actor) -> Collection[str]:
        """Fields that this actor's exports lack. Imports still read them."""
        return ()

    def may_import(self, actor: Actor) -> bool:
        """Whether the actor has the permissions of an import."""
        return all(map(actor.may, self.importing))

    def may_export(self, actor: Actor) -> bool:
        """Whether the actor has the permissions of an export."""
        return all(map(actor.may, self.exporting))

    def require_import(self, actor: Actor, options: Options) -> None:
        """Raises Forbidden unless the actor may import with these options."""
        for permission in self.importing:
            actor.require(permission)
        for chosen in options.items():
            if permission := self.choosing.get(chosen, ""):
                actor.require(permission)

    def require_export(self, actor: Actor) -> None:
        """Raises Forbidden unless the actor may export."""
        for permission in self.exporting:
            actor.require(permission)

    @abstractmethod
    def rows(self, actor: Actor, options: Options) -> Iterator[Sequence[Values]]:
        """All rows that the actor may export, record by record, always in the same order."""


SPREADSHEETS = Wired[Mapping[str, Spreadsheet]]("the spreadsheets")
"""By key."""
