"""Children that a file's objects identify like rows of a section: by an id, or by a name."""

from collections.abc import Collection, Hashable, Iterable, Sequence

from kit.editing.changes import Row
from kit.editing.children import Children
from kit.shop_file.problems import Problems
from kit.shop_file.values import Entry


class NamedChildren(Children[Row]):
    """Children known by their id, else by their `name` within their parent; each takes one object of a file."""

    key = ("id",)
    name: str = "name"
    """What a new child must have."""
    unique: tuple[str, ...] = ()
    """The attributes that no two rows of the table share."""
    names_repeat: bool = False
    """Whether the table allows children of one parent with the same name."""

    def __init__(self, parents: Collection[Hashable], entries: Sequence[Entry] = ()) -> None:
        """`entries`: all objects that will be passed to `match`."""
        super().__init__(parents)
        self._places: dict[tuple[object, ...], str] = {}
        self._holders = {(name, value): pk for name in self.unique for value, pk in self._held(name, entries)}
        ids = [entry.given["id"] for entry in entries if "id" in entry.given]
        rows = self.model._default_manager.filter(pk__in=ids)
        self._ids = set(rows.values_list("pk", flat=True) if ids else ())

    def all(self) -> list[Row]:
        """The children of all parents."""
        return [row for rows in self.rows.values() for row in rows.values()]

    def name_of(self, entry: Entry) -> str:
        """The attribute by which the object names its child."""
        return self.name

    def match(self, parent: Hashable, entry: Entry, problems: Problems) -> Row | None:
        """The parent's child that the object matches; None for a new one.

        Reports identities in use, in the shop or by another object of the file, and new ones without a name.
        """
        rows, name = self.of(parent).values(), self.name_of(entry)
        own = [row for row in rows if row.pk == entry.given.get("id")]
        namesakes = [row for row in rows if name in entry.given and getattr(row, name) == entry.given[name]]
        row = next(iter(own or namesakes), None)
        if row is None and self.name not in entry.given:
            problems.add(f"{entry.path}.{self.name}", "is required")
        if row is None and entry.given.get("id") in self._ids:
            problems.add(f"{entry.path}.id", "belongs to a row that is deleted or has another parent")
        if not own and len(namesakes) > 1:
            problems.add(f"{entry.path}.{name}", f"belongs to {', '.join(str(one.pk) for one in namesakes)}")
        for fault in self._faults(parent, entry, row, namesakes):
            problems.add(*fault)
            break
        return row

    def _faults(
        self, parent: Hashable, entry: Entry, row: Row | None, namesakes: Sequence[Row]
    ) -> Iterable[tuple[str, str]]:
        """Which parts of the object's identity are in use, each as a path and a message."""
        name, own = self.name_of(entry), row.pk if row else None
        if row and not self._claims(entry, row.pk):
            yield entry.path, f"already appears at {self._places[row.pk,]}"
        for code in (code for code in self.unique if entry.given.get(code) is not None):
            value, path = entry.given[code], f"{entry.path}.{code}"
            if not self._claims(entry, code, value):
                yield path, f"'{value}' already appears at {self._places[code, value]}"
            elif self._holders.get((code, value), own) != own:
                yield path, f"'{value}' belongs to {self._holders[code, value]}"
        if name in self.unique or name not in entry.given or (self.names_repeat and (row or "id" in entry.given)):
            return
        if not self._claims(entry, parent, name, entry.given[name]):
            yield entry.path, f"already appears at {self._places[parent, name, entry.given[name]]}"
        elif not self.names_repeat and any(one.pk != own for one in namesakes):
            yield f"{entry.path}.{name}", f"'{entry.given[name]}' belongs to {namesakes[0].pk}"

    def _claims(self, entry: Entry, *identity: object) -> bool:
        """Whether the object is the first with that identity."""
        return self._places.setdefault(identity, entry.path) == entry.path

    def _held(self, name: str, entries: Sequence[Entry]) -> Iterable[tuple[object, str]]:
        """The values of the unique attribute that rows have already, with the ids of these."""
        values = [entry.given[name] for entry in entries if entry.given.get(name) is not None]
        rows = self.model._default_manager.filter(**{f"{name}__in": values}, deleted_at=None)
        return rows.values_list(name, "pk") if values else ()
