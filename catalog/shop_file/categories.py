"""The shop file's product categories: a whole tree at once, with parents in any order."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import ClassVar

from catalog import former_handles
from catalog.categories.category_forest import Forest, Misplacement, Node, Place, derived_place
from catalog.categories.category_reports import report_places
from catalog.categories.category_tree import lock_tree
from catalog.handles import normalized_if_possible
from catalog.models import MAX_DEPTH, ProductCategory
from catalog.models.former_handles import FORMER
from catalog.shop_file.dumped_categories import dumped_categories
from catalog.shop_file.handles import (
    SEARCH_ENGINES,
    FormerHandles,
    handle_or_default,
    is_same_title,
    normalize_handles,
    other_title,
    refuse_repeated,
)
from kit.editing.changes import BATCH, overwrite
from kit.editing.reporting import Change, report
from kit.shop_file.problems import Problems
from kit.shop_file.sections import Section
from kit.shop_file.values import Boolean, DateTime, Entry, Integer, Metadata, Text, Value
from kit.values.ids import new_id
from kit.values.json import JSONObject
from kit.values.metadata import same
from kit.values.text import LONGEST

DETAILS = ("name", "handle", "description", *SEARCH_ENGINES, "is_active", "is_internal", "metadata", "deleted_at")
PLACE = ("parent_category_id", "rank", "path", "is_visible", "in_deleted_branch")


class ProductCategories(Section):
    """Rows are written in batches, with the place known so far; `finish` corrects the places of misplaced rows.

    If the file lists parents first and gives all ranks, no row is written twice. An object without an id matches the
    category with its handle that is not deleted. An object with `deleted_at` matches the one deleted at that time, else
    the one that is not deleted, else the one deleted last.
    """

    key = "product_categories"
    prefix = "pcat"
    fields: ClassVar[Mapping[str, Value]] = {
        "name": Text(longest=LONGEST, may_be_blank=False),
        "handle": Text(longest=LONGEST, may_be_blank=False),
        "description": Text(),
        **SEARCH_ENGINES,
        FORMER: FormerHandles(),
        "parent": Text(nullable=True),
        "rank": Integer(),
        "is_active": Boolean(),
        "is_internal": Boolean(),
        "metadata": Metadata(),
        "deleted_at": DateTime(nullable=True),
    }

    def __init__(self, problems: Problems) -> None:
        super().__init__(problems)
        lock_tree()
        self._forest = Forest.stored()
        self._former: dict[str, str] = {}
        self._siblings = Counter(node.parent_id for node in self._forest.by_handle.values())
        self._names: dict[Node, str] = {}
        self._deleted_before: dict[Node, bool] = {}
        """Whether the stored nodes that the file names were deleted before."""
        self._parents: dict[Node, str | None] = {}
        """The parent that the file names."""
        self._unchanged: set[Node] = set()
        """Nodes whose rows already have the file's details; some may still have to move."""

    def load_batch(self, entries: Sequence[Entry]) -> None:
        normalize_handles(entries, ProductCategory.objects.not_deleted())
        refuse_repeated(self, entries, self._former)
        nodes = [self._node_of(entry) for entry in entries]
        rows = ProductCategory.objects.in_bulk([node.id for node in nodes if node and node.stored])
        before = {row.pk: (row.handle, row.is_visible) for row in rows.values()}
        new: list[ProductCategory] = []
        changed: list[ProductCategory] = []
        unchanged: list[Node] = []
        for entry, node in zip(entries, nodes, strict=True):
            details = {name: entry.given[name] for name in DETAILS if name in entry.given}
            if node is None:
                continue
            if node.stored is None:
                rows[node.id] = self._new_row(node, entry, details)
                new.append(rows[node.id])
            elif differing := [name for name in details if not same(getattr(rows[node.id], name), details[name])]:
                self._check_title(entry, rows[node.id])
                changed.append(_changed_row(rows[node.id], node, {name: details[name] for name in differing}))
            else:
                unchanged.append(node)
        overwrite(changed, [*DETAILS, "is_visible"])
        ProductCategory.objects.bulk_create(new, batch_size=BATCH)
        report_places(Change.CREATED, new)
        report_places(Change.DELETED, [row for row in changed if row.deleted_at is not None])
        report(ProductCategory, Change.UPDATED, [row for row in changed if row.deleted_at is None])
        placed = {rows[node.id]: entry.given for node, entry in zip(nodes, entries, strict=True) if node}
        former = former_handles.replace({row: given[FORMER] for row, given in placed.items() if FORMER in given})
        renamed = {row.pk: before[row.pk] for row in changed if row.handle != before[row.pk][0]}
        hidden = [key for key, (_, was_visible) in renamed.items() if not was_visible]
        former_handles.remember(ProductCategory, {key: each[0] for key, each in renamed.items()}, hidden=hidden)
        self._unchanged |= {node for node in unchanged if node.id not in former}
        self.counts.created += len(new)
        self.counts.updated += len(changed) + sum(node.id in former for node in unchanged)

    def _repetition(self, entry: Entry, node: Node) -> str:
        name, before = entry.given.get("name"), self._names.get(node)
        if name and before and "handle" not in entry.given and entry.given.get("id") != node.id:
            return other_title(name, before, place=str(node.label))
        return f"'{node.handle}' already appears at {node.label}"

    def _check_title(self, entry: Entry, row: ProductCategory) -> None:
        """Refuse an object that its name alone makes an update of a category with another name."""
        name = entry.given.get("name", row.name)
        if entry.given.get("id") != row.pk and "handle" not in entry.given and not is_same_title(name, row.name):
            self.refuse(entry, other_title(name, row.name, place=row.pk))

    def finish(self) -> None:
        """Write the final places. Only a new rank or parent changes a category's updated_at."""
        self._resolve_parents()
        moved: dict[str, Place] = {}
        affected: dict[str, Place] = {}
        for node, place in self._forest.settle():
            if isinstance(place, Misplacement):
                self.problems.add(node.label or f"{self.key} '{node.handle}'", place.value)
                continue
            has_moved = node.stored is None or place[:2] != node.stored[:2]
            if place != node.stored:
                (moved if has_moved else affected)[node.id] = place
            if node in self._unchanged:
                self.counts.updated += has_moved
                self.counts.unchanged += not has_moved
        self._check_deletions()
        _put(moved, touch=True)
        _put(affected, touch=False)

    def _check_deletions(self) -> None:
        """As on the admin site: none with children is deleted, and none is restored below a deleted one."""
        for node, was_deleted in self._deleted_before.items():
            is_deleted = node.deleted_at is not None
            parent = self._forest.nodes.get(node.parent_id or "")
            if is_deleted and not was_deleted and any(child.deleted_at is None for child in node.children):
                self.problems.add(f"{node.label}.deleted_at", "has children: delete or move them, too")
            elif was_deleted and not is_deleted and parent and parent.deleted_at is not None:
                self.problems.add(f"{node.label}.deleted_at", f"is below '{parent.handle}', which is deleted")

    def _node_of(self, entry: Entry) -> Node | None:
        """The object's category, or a new one, with the file's changes; None if the object is refused."""
        handle = handle_or_default(entry, name="name")
        node = self._match(entry, handle)
        if node and node.label:
            self.refuse(entry, self._repetition(entry, node))
        if node is None:
            self.require(entry, "name")
        elif "handle" not in entry.given:
            handle = node.handle
        if handle is None and entry.is_sound:
            self.refuse(entry, "is required: none can be derived from the name", field="handle")
        deleted_at = entry.given.get("deleted_at", node.deleted_at if node else None)
        holder = self._forest.by_handle.get(handle or "")
        if holder and holder is not node and deleted_at is None:
            self.refuse(entry, f"'{handle}' belongs to {holder.id}", field="handle")
        if handle is None or not entry.is_sound:
            self.problems.mark_invalid(self.key, handle)
            return None
        node = node or Node(entry.given.get("id") or new_id(self.prefix), handle, is_new=True)
        if node.stored:
            self._deleted_before[node] = node.deleted_at is not None
        self._forest.rename(node, handle=handle, deleted_at=deleted_at)
        self._names[node] = entry.given.get("name", "")
        node.label, node.order, node.rank = entry.path, len(self._parents), entry.given.get("rank")
        node.is_active = entry.given.get("is_active", node.is_active)
        node.is_internal = entry.given.get("is_internal", node.is_internal)
        self._parents[node] = entry.given.get("parent", node.parent_id)
        return node

    def _match(self, entry: Entry, handle: str | None) -> Node | None:
        by_id = self._forest.nodes.get(entry.given.get("id", ""))
        if by_id or handle is None:
            return by_id
        deleted_at = entry.given.get("deleted_at")
        if deleted_at is None:
            return self._forest.by_handle.get(handle)
        if "id" in entry.given:  # another deleted category with the same handle
            return None
        then, last = self._forest.deleted(handle, at=deleted_at), self._forest.deleted(handle)
        return then or self._forest.by_handle.get(handle) or last

    def _new_row(self, node: Node, entry: Entry, details: Mapping[str, object]) -> ProductCategory:
        """The new row: below its parent, if that is stored by now, at the given rank or the end."""
        word = self._parents[node]
        parent = self._forest.find(word) if word else None
        above = parent.stored if parent else None
        if above and above.path.count(".") >= MAX_DEPTH:  # `finish` refuses it if it is still too deep
            above = None
        node.parent_id = parent.id if parent and above else None
        rank = self._siblings[node.parent_id] if node.rank is None else node.rank
        self._siblings[node.parent_id] += 1
        node.stored = derived_place(node, above)._replace(rank=rank)
        creation = {"created_at": entry.given["created_at"]} if "created_at" in entry.given else {}
        values = {"handle": node.handle, **details, **dict(zip(PLACE, node.stored, strict=True))}
        return ProductCategory(id=node.id, **creation, **values)

    def _resolve_parents(self) -> None:
        for node, word in self._parents.items():
            find = self._forest.find
            parent = None if word is None else find(word) or find(normalized_if_possible(word))
            if word is not None and parent is None and not self.problems.is_invalid(self.key, word):
                self.problems.add(f"{node.label}.parent", f"there is no product category '{word}'")
            node.parent_id = parent.id if parent else None

    @classmethod
    def dump(cls, *, with_credentials: bool) -> Iterator[JSONObject]:
        return dumped_categories()


def _changed_row(row: ProductCategory, node: Node, details: Mapping[str, object]) -> ProductCategory:
    """The row with the file's details. A row that becomes hidden is hidden immediately: a constraint requires it."""
    for name, value in details.items():
        setattr(row, name, value)
    row.is_visible = row.is_visible and row.is_active and not row.is_internal
    if node.stored:
        node.stored = node.stored._replace(is_visible=row.is_visible)
    return row


def _put(places: Mapping[str, Place], *, touch: bool) -> None:
    """Write the places into their rows."""
    ids = iter(places)
    while batch := list(islice(ids, BATCH)):
        rows = list(ProductCategory.objects.filter(pk__in=batch))
        former_parents = [row.parent_category_id for row in rows]
        for row in rows:
            for attribute, value in zip(PLACE, places[row.pk], strict=True):
                setattr(row, attribute, value)
        overwrite(rows, PLACE, touch=touch)
        if touch:
            report_places(Change.UPDATED, rows, former_parents=former_parents)
