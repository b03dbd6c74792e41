"""The whole category tree in memory, without names and texts: where bulk changes work out ranks, paths and flags.

The same rules as the verbs' (catalog/category_tree.py), for many categories at once and in one pass over the tree.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from typing import NamedTuple

from catalog.models import MAX_DEPTH, ProductCategory


class Place(NamedTuple):
    """Where a category stands, and what follows from that."""

    parent_id: str | None
    rank: int
    path: str
    is_visible: bool
    in_deleted_branch: bool


@dataclass(slots=True, eq=False)
class Node:
    """A category. `stored` is the place its row has; `label` and `order` its place in the file, if a file names it."""

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
        """Of deleted namesakes, the one with the greatest counts."""
        return self.deleted_at, self.id


class Misplacement(Enum):
    """Why a node cannot stand where it should."""

    TOO_DEEP = f"stands more than {MAX_DEPTH} levels below a root category"
    IN_CYCLE = "stands below itself"


class Forest:
    """Every category, found by id or handle. `parent_id` and, where the file says so, `rank` are what shall be."""

    def __init__(self) -> None:
        self.nodes: dict[str, Node] = {}
        self.by_handle: dict[str, Node] = {}
        self._deleted: dict[str, list[Node]] = {}

    @classmethod
    def stored(cls) -> "Forest":
        """The forest as the rows have it."""
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
        """Let the node be found by its id and handle."""
        self.nodes[node.id] = node
        if node.deleted_at is None:
            self.by_handle[node.handle] = node
        else:
            self._deleted.setdefault(node.handle, []).append(node)

    def rename(self, node: Node, *, handle: str, deleted_at: datetime | None) -> None:
        """Let the node be found by another handle, and among the deleted nodes or the others."""
        if self.by_handle.get(node.handle) is node:
            del self.by_handle[node.handle]
        elif node in self._deleted.get(node.handle, ()):
            self._deleted[node.handle].remove(node)
        node.handle, node.deleted_at = handle, deleted_at
        self.add(node)

    def deleted(self, handle: str, *, at: datetime | None = None) -> Node | None:
        """The last deleted node of that handle, or the one deleted at that moment."""
        namesakes = self._deleted.get(handle, ())
        matching = [node for node in namesakes if at in (None, node.deleted_at)]
        return max(matching, key=lambda node: node.deletion, default=None)

    def find(self, word: str) -> Node | None:
        """The node with that id, else the one with that handle, else the last deleted one with it."""
        return self.nodes.get(word) or self.by_handle.get(word) or self.deleted(word)

    def settle(self) -> Iterator[tuple[Node, Place | Misplacement]]:
        """The place of every node, parents first; of nodes in rings, and of those too deep, what is wrong.

        Of what is below one too deep, nothing is said.
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
        """Hang every node below its parent; those without one are the roots."""
        roots: list[Node] = []
        for node in self.nodes.values():
            siblings = roots if node.parent_id is None else self.nodes[node.parent_id].children
            siblings.append(node)
        return roots


def derived_place(node: Node, above: Place | None) -> Place:
    """The ranked node's place below that of its parent."""
    return Place(
        node.parent_id,
        node.rank or 0,
        node.id if above is None else f"{above.path}.{node.id}",
        node.is_active and not node.is_internal and (above is None or above.is_visible),
        node.deleted_at is not None or (above is not None and above.in_deleted_branch),
    )


def _rank(children: list[Node]) -> None:
    """Give the living children ranks 0…n-1.

    Those with a rank of their own are set at it, in the order of the file where several have the same; the others keep
    their order around them, newcomers last. Ranks that were given so give the same ranks again.
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
        if child.rank is None:  # a deleted one keeps the rank that it had
            child.rank = child.stored.rank if child.stored else 0


def _sort_key(child: Node) -> tuple[bool, int]:
    """Where a child without a rank of its own stands among its like."""
    if child.is_new or child.stored is None or child.stored.parent_id != child.parent_id:
        return True, child.order
    return False, child.stored.rank


def _cycles(unreached: dict[str, Node]) -> Iterator[Node]:
    """The nodes that are their own ancestors; every unreached node has an unreached parent."""
    seen: set[str] = set()
    for start in unreached.values():
        chain, node = list[Node](), start
        while node.id not in seen:
            seen.add(node.id)
            chain.append(node)
            node = unreached[node.parent_id or ""]
        if node in chain:
            yield from chain[chain.index(node) :]
