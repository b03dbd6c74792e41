"""The whole category tree in memory, without texts, for bulk changes: computes ranks, paths and flags in one pass.

The rules are those of the verbs in catalog/categories/category_tree.py.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from typing import NamedTuple

from catalog.models import MAX_DEPTH, ProductCategory


class Place(NamedTuple):
    """The position of a category in the tree, and the fields derived from it."""

    parent_id: str | None
    rank: int
    path: str
    is_visible: bool
    in_deleted_branch: bool


@dataclass(slots=True, eq=False)
class Node:
    """A category. stored: the place in its row. label, order: its path and position in the file, if it is in one."""

    id: str
    handle: str
    is_active: bool = True
    is_internal: bool = False
    deleted_at: datetime | None = None
    stored: Place | None = None
    is_new: bool = False
    label: str | None = None
    parent_id: str | None = None
    rank: int | None = None
    order: int = 0
    children: list["Node"] = field(default_factory=list)

    @property
    def deletion(self) -> tuple[datetime | None, str]:
        """Sorts deleted nodes with the same handle by the time of deletion."""
        return self.deleted_at, self.id


class Misplacement(Enum):
    """Why a node cannot be where it should be."""

    TOO_DEEP = f"is more than {MAX_DEPTH} levels below a root category"
    IN_CYCLE = "is below itself"


class Forest:
    """All categories, by id and by handle. `parent_id` and, if the file gives one, `rank` are the wanted ones."""

    def __init__(self) -> None:
        self.nodes: dict[str, Node] = {}
        self.by_handle: dict[str, Node] = {}
        self._deleted: dict[str, list[Node]] = {}

    @classmethod
    def stored(cls) -> "Forest":
        """The forest of the stored categories."""
        forest = cls()
        columns = ("parent_category_id", "rank", "path", "is_visible", "in_deleted_branch")
        details = ("pk", "handle", "is_active", "is_internal", "deleted_at")
        for row in ProductCategory.objects.values_list(*details, *columns).iterator():
            place = Place(*row[len(details) :])
            node = Node(*row[: len(details)])
            node.stored, node.parent_id = place, place.parent_id
            forest.add(node)
        return forest

    def add(self, node: Node) -> None:
        """Add the node, to be found by its id and handle."""
        self.nodes[node.id] = node
        if node.deleted_at is None:
            self.by_handle[node.handle] = node
        else:
            self._deleted.setdefault(node.handle, []).append(node)

    def rename(self, node: Node, *, handle: str, deleted_at: datetime | None) -> None:
        """Change the node's handle and time of deletion, by which it is found."""
        if self.by_handle.get(node.handle) is node:
            del self.by_handle[node.handle]
        elif node in self._deleted.get(node.handle, ()):
            self._deleted[node.handle].remove(node)
        node.handle, node.deleted_at = handle, deleted_at
        self.add(node)

    def deleted(self, handle: str, *, at: datetime | None = None) -> Node | None:
        """The node with that handle that was deleted last, or at that time."""
        namesakes = self._deleted.get(handle, ())
        matching = [node for node in namesakes if at in (None, node.deleted_at)]
        return max(matching, key=lambda node: node.deletion, default=None)

    def find(self, word: str) -> Node | None:
        """The node with that id, else the one with that handle, else the last deleted one with it."""
        return self.nodes.get(word) or self.by_handle.get(word) or self.deleted(word)

    def settle(self) -> Iterator[tuple[Node, Place | Misplacement]]:
        """Yield the place of each node, parents first, or what is wrong: a cycle of parents, or a node too deep.

        Nothing is yielded for nodes below one that is too deep.
        """
        roots = self._link_children()
        for node in self.nodes.values():
            _rank(node.children)
        _rank(roots)
        unreached = dict(self.nodes)
        stack: list[tuple[Node, Place | None, int]] = [(root, None, 0) for root in roots]
        while stack:
            node, above, depth = stack.pop()
            del unreached[node.id]
            if depth <= MAX_DEPTH:
                above = derived_place(node, above)
                yield node, above
            elif depth == MAX_DEPTH + 1:
                yield node, Misplacement.TOO_DEEP
            stack.extend((child, above, depth + 1) for child in node.children)
        yield from ((node, Misplacement.IN_CYCLE) for node in _cycles(unreached))

    def _link_children(self) -> list[Node]:
        """Add every node to its parent's children. Returns the roots."""
        roots: list[Node] = []
        for node in self.nodes.values():
            siblings = roots if node.parent_id is None else self.nodes[node.parent_id].children
            siblings.append(node)
        return roots


def derived_place(node: Node, above: Place | None) -> Place:
    """The place of the node, whose rank is set, below its parent's place."""
    return Place(
        node.parent_id,
        node.rank or 0,
        node.id if above is None else f"{above.path}.{node.id}",
        node.is_active and not node.is_internal and (above is None or above.is_visible),
        node.deleted_at is not None or (above is not None and above.in_deleted_branch),
    )


def _rank(children: list[Node]) -> None:
    """Set the ranks of the children that are not deleted to 0…n-1.

    A wanted rank is kept; children that want the same one follow each other in the order of the file. The others keep
    their order around them, with new ones last. The result, given again as wanted ranks, does not change.
    """
    ranked = [child for child in children if child.deleted_at is None]
    order = sorted((child for child in ranked if child.rank is None), key=_sort_key)
    last = -1
    for wanted, _, child in sorted((child.rank, child.order, child) for child in ranked if child.rank is not None):
        last = max(min(wanted, len(order)), last + 1)
        order.insert(last, child)
    for rank, child in enumerate(order):
        child.rank = rank
    for child in children:
        if child.rank is None:  # deleted children keep their rank
            child.rank = child.stored.rank if child.stored else 0


def _sort_key(child: Node) -> tuple[bool, int]:
    """Orders the children without a wanted rank: by their stored rank, new ones last in the order of the file."""
    if child.is_new or child.stored is None or child.stored.parent_id != child.parent_id:
        return True, child.order
    return False, child.stored.rank


def _cycles(unreached: dict[str, Node]) -> Iterator[Node]:
    """The nodes that are their own ancestors. Every unreached node has an unreached parent."""
    seen: set[str] = set()
    for start in unreached.values():
        chain, node = list[Node](), start
        while node.id not in seen:
            seen.add(node.id)
            chain.append(node)
            node = unreached[node.parent_id or ""]
        if node in chain:
            yield from chain[chain.index(node) :]
