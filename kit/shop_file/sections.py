"""Sections of a shop file: one key of the file, its objects matched with rows by natural key and written in bulk.

Each app declares its own in `<app>/shop_file.py`; commerce/operations/shop_files/shop_files.py lists them. A section
lives for one load, inside its transaction, and sees its objects once, in batches, so that memory stays bounded however
long the file. Valid objects are written even when others have problems, so that references to them resolve. A load with
problems is rolled back as a whole.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, ClassVar, Generic

from django.db import models
from django.db.models import Prefetch

from kit.database.locking import lock_rows
from kit.domain.actor import SYSTEM
from kit.editing.changes import BATCH, Changes, Row
from kit.editing.children import Links
from kit.editing.reporting import reported
from kit.editing.states import RowsRefused, RowState
from kit.editing.verbs import RowVerbs
from kit.errors import DomainError
from kit.shop_file.problems import Problems
from kit.shop_file.references import Named, NamesOf, Target, resolve
from kit.shop_file.row_fields import row_fields
from kit.shop_file.values import DateTime, Entry, Id, Value, read_object
from kit.values.json import JSONObject


@dataclass(slots=True)
class Counts:
    """How many of a section's objects created, updated or left a row."""

    created: int = 0
    updated: int = 0
    unchanged: int = 0

    def __str__(self) -> str:
        return f"{self.created} created, {self.updated} updated, {self.unchanged} unchanged"


class Section(ABC):
    """A key of the file. Every object also has `id` and `created_at`, which apply when it creates a row."""

    key: ClassVar[str]
    prefix: ClassVar[str]
    fields: ClassVar[Mapping[str, Value]]
    prepared_before: ClassVar[str] = ""
    """The key of a section before this one, if that needs what `prepare` makes."""
    is_in_ledger: ClassVar[bool] = False
    """Whether the section writes rows of the ledger, which is then verified."""

    def __init__(self, problems: Problems) -> None:
        self.problems = problems
        self.counts = Counts()
        self.announcements: list[str] = []
        """Lines that the operator must see once the load is committed, like generated secrets."""

    @classmethod
    def all_fields(cls) -> Mapping[str, Value]:
        """The fields that an object of the section may have. A dump writes all but those of older versions."""
        return {"id": Id(prefix=cls.prefix), **cls.fields, "created_at": DateTime()}

    def load(self, objects: Iterable[object]) -> None:
        """Write what differs from the rows; problems of the objects go to `problems`."""
        fields = self.all_fields()
        entries = (read_object(raw, f"{self.key}[{index}]", fields, self.problems) for index, raw in enumerate(objects))
        while batch := list(islice(entries, BATCH)):
            resolve(batch, fields, self.problems)
            with reported():
                self.load_batch(batch)
        with reported():
            self.finish()

    def prepare(self, objects: Iterable[object]) -> None:  # noqa: B027 - most sections serve those after them alone
        """Make what the section `prepared_before` needs. `load` gets the objects too, and reports problems."""

    @abstractmethod
    def load_batch(self, entries: Sequence[Entry]) -> None:
        """Match and write up to BATCH objects."""

    def finish(self) -> None:  # noqa: B027 - most sections have nothing left to do
        """Do what needs all objects of the file."""

    @classmethod
    @abstractmethod
    def dump(cls, *, with_credentials: bool) -> Iterator[JSONObject]:
        """The rows as objects of the file, ready for JSON; loaded again, they change nothing."""

    def refuse(self, entry: Entry, message: str, *, field: str = "") -> None:
        """Report a problem of the object, or of one of its fields."""
        self.problems.add(f"{entry.path}.{field}" if field else entry.path, message)
        entry.is_sound = False

    def require(self, entry: Entry, *fields: str) -> None:
        """Report the fields that a valid object lacks."""
        missing = [name for name in fields if name not in entry.given]
        for name in missing if entry.is_sound else ():
            self.refuse(entry, "is required", field=name)


@dataclass(slots=True)
class Placed(Generic[Row]):
    """A valid object with its row, which has the object's values."""

    entry: Entry
    row: Row
    is_new: bool
    is_changed: bool = False


Wanted = tuple[Entry, Row | None, dict[str, Any]]
"""A valid object, the row that it matches, and the row's attributes as the object gives them."""


class RowsSection(Section, Generic[Row]):
    """A section whose objects are rows of one table, each known by its id or by one field, its natural key.

    Fields that name rows are loaded and dumped like all others: a Named one by the foreign key, a NamesOf one by the
    many-to-many field. A section whose fields come from elsewhere has its own `dump`.
    """

    model: type[Row]
    """Where the section has verbs, theirs; then its `prefix` and `fields` follow from it, unless they are given."""
    natural_key: ClassVar[str]
    prefetched: ClassVar[tuple[str, ...]] = ()
    """Relations that fields dump, besides many-to-many ones."""
    verbs: ClassVar[RowVerbs[Any] | None] = None
    """What writes the rows, with their links, where the table has verbs for many rows."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        verbs = cls.__dict__.get("verbs")
        if verbs is not None:
            cls.model = verbs.model
            if "prefix" not in cls.__dict__:
                cls.prefix = getattr(cls.model._meta.pk, "prefix", "")
            if "fields" not in cls.__dict__:
                cls.fields = row_fields(verbs)

    def __init__(self, problems: Problems) -> None:
        super().__init__(problems)
        self.replaced: Callable[[str], Mapping[str, Any]] = lambda _: {}
        """What the last batch has changed, by attribute and id, where the table has no verbs: the values until then."""
        self._places: dict[str, str] = {}
        self._deleted: set[str] = set()

    @classmethod
    def matchable(cls) -> models.QuerySet[Row]:
        """The rows that an object can match, and that a dump holds."""
        return cls.model._default_manager.filter(deleted_at=None)

    def name_of(self, entry: Entry) -> str | None:
        """The object's natural key, given or derived from its fields."""
        return entry.given.get(self.natural_key)

    def names_condition(self, names: Collection[str]) -> models.Q:
        """The rows with these natural keys."""
        return models.Q(**{f"{self.natural_key}__in": list(names)})

    def values(self, entry: Entry, row: Row | None) -> dict[str, Any]:
        """The row's attributes as the object gives them; `row` is None for a new one. May refuse the object."""
        given = {name: value for name, value in entry.given.items() if name not in ("id", "created_at")}
        values = {
            f"{name}_id" if isinstance(field, Named) else field.attribute or name: value
            for name, value in given.items()
            if not isinstance(field := self.fields[name], NamesOf)
        }
        return {name: value for name, value in values.items() if self.verbs is None or name in self.verbs.columns}

    def load_batch(self, entries: Sequence[Entry]) -> None:
        by_id, by_name = self._rows_by_id_and_name(entries)
        wanted: list[Wanted[Row]] = []
        for entry in entries:
            row = self.row_of(entry, by_id, by_name)
            if row is None:
                self.require(entry, *(name for name, field in self.fields.items() if field.required))
            values = self.values(entry, row) if entry.is_sound else {}
            if entry.is_sound:
                wanted.append((entry, row, values))
            else:
                self.problems.mark_invalid(self.key, self.name_of(entry))
        placed = self._write(wanted) if self.verbs is None else self._put(wanted, self.verbs)
        self.load_parts(placed)
        for one in placed:
            self.counts.created += one.is_new
            self.counts.updated += one.is_changed and not one.is_new
            self.counts.unchanged += not one.is_changed and not one.is_new

    def load_parts(self, placed: Sequence[Placed[Row]]) -> None:
        """Write what belongs to the rows apart from their columns, and mark those for which that changed."""
        for name, attribute, _ in self._linked() if self.verbs is None else ():
            links = Links(self.model, attribute, [one.row.pk for one in placed if not one.is_new])
            for one in placed:
                if name in one.entry.given:
                    one.is_changed |= links.link(one.row.pk, one.entry.given[name])
            links.write()

    def _write(self, wanted: Sequence[Wanted[Row]]) -> list[Placed[Row]]:
        changes = Changes(self.model)
        placed = []
        for entry, row, values in wanted:
            if row is None:
                placed.append(Placed(entry, changes.make(**_identity(entry), **values), is_new=True))
            else:
                placed.append(Placed(entry, row, is_new=False, is_changed=changes.change(row, values)))
        changes.write()
        self.replaced = changes.replaced
        return placed

    def _put(self, wanted: Sequence[Wanted[Row]], verbs: RowVerbs[Any]) -> list[Placed[Row]]:
        """Write by the table's verb. Report what it refuses and write the others, so that references resolve."""
        try:
            edited = verbs.put(actor=SYSTEM, states=[self._state(verbs, *one) for one in wanted]) if wanted else ()
        except RowsRefused as refusal:
            for fault in refusal.faults:
                entry = wanted[fault.index][0]
                if not self.is_consequence(fault.error):
                    self.refuse(entry, fault.error.message, field=self._named_field(fault.field))
                entry.is_sound = False
                self.problems.mark_invalid(self.key, self.name_of(entry))
            return self._put([one for one in wanted if one[0].is_sound], verbs)
        return [
            Placed(entry, one.row, is_new=one.is_new, is_changed=one.is_changed)
            for (entry, _, _), one in zip(wanted, edited, strict=True)
        ]

    def is_consequence(self, error: DomainError) -> bool:
        """Whether the refusal follows from problems of another object, which are reported already."""
        return False

    def _state(self, verbs: RowVerbs[Any], entry: Entry, row: Row | None, values: Mapping[str, Any]) -> RowState:
        identity = _identity(entry)
        new = {"new_id": identity.get("id"), "created_at": identity.get("created_at")}
        links = {attribute: entry.given[name] for name, attribute, _ in self._linked() if name in entry.given}
        state: RowState = verbs.state(**({"id": row.pk} if row else new), **values, **links)
        return state

    def _named_field(self, attribute: str) -> str:
        """The field of the file that gives the attribute of the row, or the list of its parts."""
        names = {(field.attribute or name).removesuffix("_id"): name for name, field in self.fields.items()}
        first, bracket, rest = attribute.partition("[")
        name = names.get(first.removesuffix("_id"), "")
        return f"{name}{bracket}{rest}" if name else ""

    @classmethod
    def dump(cls, *, with_credentials: bool) -> Iterator[JSONObject]:
        fields = [(name, field.attribute or name, field) for name, field in cls.all_fields().items()]
        named = [name for name, _, field in fields if isinstance(field, Named)]
        links = [Prefetch(attribute, target.rows()) for _, attribute, target in cls._linked()]
        rows = (
            cls.matchable().order_by("pk").select_related(*named or (None,)).prefetch_related(*links, *cls.prefetched)
        )
        for row in rows.iterator(chunk_size=BATCH):
            yield {name: field.dumped(row, attribute) for name, attribute, field in fields}

    @classmethod
    def _linked(cls) -> Iterator[tuple[str, str, Target]]:
        """The fields that are many-to-many: name, attribute, and what they link to."""
        for name, field in cls.fields.items():
            if isinstance(field, NamesOf):
                yield name, field.attribute or name, field.target

    def row_of(self, entry: Entry, by_id: Mapping[str, Row], by_name: Mapping[str, Row]) -> Row | None:
        """The row that the object matches, None for a new one. Refuses repeated objects, and keys in use."""
        given_id, name = entry.given.get("id"), self.name_of(entry)
        row, namesake = by_id.get(given_id or ""), by_name.get(name or "")
        if row is None:
            if name is None:
                self.require(entry, self.natural_key)
            if given_id in self._deleted:
                self.refuse(entry, "belongs to a deleted row", field="id")
        elif self.natural_key not in entry.given:
            name = getattr(row, self.natural_key)
        elif namesake and namesake != row:
            self.refuse(entry, f"'{name}' belongs to {namesake.pk}", field=self.natural_key)
        for identity in filter(None, (given_id, name)):
            if self._places.setdefault(identity, entry.path) != entry.path:
                self.refuse(entry, f"'{identity}' already appears at {self._places[identity]}")
        return row or namesake

    def _rows_by_id_and_name(self, entries: Sequence[Entry]) -> tuple[dict[str, Row], dict[str, Row]]:
        """The rows that the objects match, locked: by id and by natural key."""
        ids = {entry.given["id"] for entry in entries if "id" in entry.given}
        names = {name for entry in entries if (name := self.name_of(entry)) is not None}
        rows = lock_rows(self.matchable().filter(models.Q(pk__in=list(ids)) | self.names_condition(names)))
        by_id = {row.pk: row for row in rows}
        unmet = ids - by_id.keys()
        deleted = (
            self.model._default_manager.filter(pk__in=list(unmet)) if unmet else self.model._default_manager.none()
        )
        self._deleted = set(deleted.values_list("pk", flat=True))
        return by_id, {getattr(row, self.natural_key): row for row in rows}


def _identity(entry: Entry) -> dict[str, Any]:
    """The id and time of creation that the object gives to a new row."""
    return {name: entry.given[name] for name in ("id", "created_at") if name in entry.given}
