"""Rows that belong to others: a product's images, a price's rules, the tags of a product.

Each is identified by a key within its parent. What a caller wants is matched with the rows by that key: a second load
of a shop file finds the rows that the first one created.
"""

from collections.abc import Collection, Hashable, Iterable, Mapping
from typing import Any, ClassVar, Generic

from django.db import models

from kit.editing.changes import Changes, Row
from kit.editing.reporting import touch

Key = tuple[Hashable, ...]


class Children(Generic[Row]):
    """The children of a batch of parents: as stored, then as wanted; `write` saves the difference.

    `rows` holds them by parent and key. A child with the key of another has no key: `replace` removes it.
    """

    model: type[Row]
    parent: str
    """The attribute that holds the parent's id, like `product_id`."""
    key: tuple[str, ...]
    """The attributes that distinguish a child from its siblings."""
    order: ClassVar[tuple[str, ...]] = ("pk",)

    def __init__(self, parents: Collection[Hashable]) -> None:
        """`parents`: ids of those that are stored; others may follow, and have no children yet."""
        self.changes = Changes(self.model)
        self.rows: dict[Hashable, dict[Key, Row]] = {}
        self._keyless: dict[Hashable, list[Row]] = {}
        for row in self.stored(parents).order_by(*self.order) if parents else ():
            children, key = self.rows.setdefault(getattr(row, self.parent), {}), self.key_of(row)
            if key in children:
                self._keyless.setdefault(getattr(row, self.parent), []).append(row)
            else:
                children[key] = row

    def stored(self, parents: Collection[Hashable]) -> models.QuerySet[Row]:
        """The children that a file can change."""
        rows = self.model._default_manager.filter(**{f"{self.parent}__in": parents})
        return rows.filter(deleted_at=None) if hasattr(self.model, "deleted_at") else rows

    def key_of(self, row: Row) -> Key:
        """What distinguishes a stored child from its siblings."""
        return tuple(getattr(row, name) for name in self.key)

    def of(self, parent: Hashable) -> Mapping[Key, Row]:
        """The parent's children by key."""
        return self.rows.get(parent, {})

    def put(self, parent: Hashable, key: Key, attributes: Mapping[str, object]) -> bool:
        """Create or update the parent's child of that key. Returns whether that changes anything."""
        row = self.of(parent).get(key)
        if row is not None:
            return self.changes.change(row, attributes)
        made = self.changes.make(**{self.parent: parent}, **dict(zip(self.key, key, strict=False)), **attributes)
        self.rows.setdefault(parent, {})[key] = made
        return True

    def replace(self, parent: Hashable, wanted: Mapping[Key, Mapping[str, object]]) -> bool:
        """Make these the parent's only children. Returns whether that changes anything."""
        gone = [key for key in self.of(parent) if key not in wanted]
        removed = [*(self.rows[parent].pop(key) for key in gone), *self._keyless.pop(parent, ())]
        for row in removed:
            self.changes.remove(row)
        put = [self.put(parent, key, attributes) for key, attributes in wanted.items()]
        return bool(removed) or any(put)

    def write(self) -> None:
        """Save the changes; call it once."""
        self.changes.write()


class Links(Children[models.Model]):
    """The rows of another table that a row is linked to through a many-to-many field.

    Links to deleted rows stay as they are. A file cannot name these, but somebody may delete a row that it names.
    """

    def __init__(self, model: type[models.Model], name: str, parents: Collection[Hashable]) -> None:
        """`name`: the many-to-many field of `model`."""
        field = model._meta.get_field(name)
        if not isinstance(field, models.ManyToManyField):
            raise TypeError(f"{model.__name__}.{name} is not a many-to-many field")
        self._linked, self._changed = model, set[str]()
        self.model = getattr(model, name).through
        self.target = field.m2m_reverse_field_name()
        self.parent = f"{field.m2m_field_name()}_id"
        self.key = (f"{self.target}_id",)
        super().__init__(parents)
        hidden = [(parent, key) for parent, links in self.rows.items() for key in links if _is_hidden(links[key])]
        self._hidden = {(parent, *key) for parent, key in hidden}
        for parent, key in hidden:
            del self.rows[parent][key]

    def stored(self, parents: Collection[Hashable]) -> models.QuerySet[models.Model]:
        deletion = models.F(f"{self.target}__deleted_at")
        rows: models.QuerySet[models.Model] = super().stored(parents).annotate(hidden_at=deletion)
        return rows

    def link(self, parent: Hashable, targets: Iterable[Hashable]) -> bool:
        """Link the row to these ids and no others. Returns whether that changes anything."""
        wanted: dict[Key, dict[str, object]] = {(one,): {} for one in targets if (parent, one) not in self._hidden}
        is_changed = self.replace(parent, wanted)
        if is_changed:
            self._changed.add(str(parent))
        return is_changed

    def write(self) -> None:
        super().write()
        touch(self._linked, self._changed)


def _is_hidden(link: Any) -> bool:
    return link.hidden_at is not None
