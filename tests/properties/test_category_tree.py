"""Random sequences of the tree's verbs against the same rules computed again in plain Python."""

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
from django.db import transaction
from hypothesis import given
from hypothesis import strategies as st

from catalog.categories import category_tree
from catalog.models import ProductCategory
from kit.domain.actor import SYSTEM
from kit.errors import DomainError
from tests.catalog.trees import faults

Change = Callable[[], object]


@dataclass
class Node:
    """A category of the plain tree; `children` in the order of their ranks, deleted ones apart."""

    name: str
    parent: "Node | None" = None
    is_active: bool = True
    is_deleted: bool = False
    rank_kept: int = 0
    children: list["Node"] = field(default_factory=list)

    def line(self) -> list["Node"]:
        return [self] if self.parent is None else [*self.parent.line(), self]


class Refused(Exception):
    """The plain tree says no."""


class PlainTree:
    """The category tree as nested lists."""

    def __init__(self) -> None:
        self.top = Node("")
        self.nodes: list[Node] = []

    def create(self, parent: Node | None, rank: int | None) -> Node:
        home = self._home(parent)
        node = Node(f"n{len(self.nodes)}", home)
        home.children.insert(len(home.children) if rank is None else rank, node)
        self.nodes.append(node)
        return node

    def move(self, node: Node, parent: Node | None, rank: int | None) -> None:
        self._refuse_deleted(node)
        home = self.top if parent is None else parent
        if home is not node.parent:
            self._home(parent)
            if node in home.line():
                raise Refused
        elif rank is None:
            return
        node.parent.children.remove(node)
        home.children.insert(len(home.children) if rank is None else rank, node)
        node.parent = home

    def activate(self, node: Node, is_active: bool) -> None:
        self._refuse_deleted(node)
        node.is_active = is_active

    def delete(self, node: Node) -> None:
        self._refuse_deleted(node)
        if node.children:
            raise Refused
        node.rank_kept = node.parent.children.index(node)
        node.parent.children.remove(node)
        node.is_deleted = True

    def restore(self, node: Node) -> None:
        if not node.is_deleted or any(above.is_deleted for above in node.line()[:-1]):
            raise Refused
        node.parent.children.insert(node.rank_kept, node)
        node.is_deleted = False

    def picture(self) -> dict[str, tuple[str, int, bool]]:
        """Name to parent's name, rank and visibility of every living category."""
        return {
            node.name: (
                node.parent.name,
                node.parent.children.index(node),
                all(above.is_active for above in node.line()),
            )
            for node in self.nodes
            if not node.is_deleted
        }

    def _home(self, parent: Node | None) -> Node:
        if parent is None:
            return self.top
        self._refuse_deleted(parent)
        return parent

    def _refuse_deleted(self, node: Node) -> None:
        if node.is_deleted:
            raise Refused


def stored_picture() -> dict[str, tuple[str, int, bool]]:
    rows = ProductCategory.objects.not_deleted().values_list("name", "parent_category__name", "rank", "is_visible")
    return {name: (parent or "", rank, is_visible) for name, parent, rank, is_visible in rows}


picks = st.integers(0, 1000)
ranks = st.none() | st.integers(0, 5)
parents = st.none() | picks
steps = st.one_of(
    st.tuples(st.just("create"), parents, ranks),
    st.tuples(st.just("move"), picks, parents, ranks),
    st.tuples(st.just("move"), picks, parents, ranks),
    st.tuples(st.just("activate"), picks, st.booleans()),
    st.tuples(st.just("delete"), picks),
    st.tuples(st.just("restore"), picks),
)


@pytest.mark.django_db
@given(st.lists(steps, min_size=4, max_size=30))
def test_any_sequence_of_changes_gives_the_tree_that_the_rules_give(sequence):
    with transaction.atomic():
        plain, ids = PlainTree(), list[str]()
        for verb, *arguments in sequence:
            in_plain, in_database = step(plain, ids, verb, arguments)
            try:
                in_plain()
            except Refused:
                with pytest.raises(DomainError):
                    in_database()
            else:
                in_database()
        assert stored_picture() == plain.picture()
        assert faults() == []
        transaction.set_rollback(True)


def step(plain: PlainTree, ids: list[str], verb: str, arguments: list) -> tuple[Change, Change]:
    """The same change for both trees; a pick counts round the categories made so far."""
    if verb != "create" and not ids:
        return (lambda: None, lambda: None)
    if verb == "create":
        chosen, rank = arguments
        parent = pick(chosen, ids)
        name = f"n{len(ids)}"
        return (
            lambda: plain.create(plain.nodes[parent] if parent is not None else None, rank),
            lambda: ids.append(
                category_tree.create(
                    actor=SYSTEM, name=name, parent_id=ids[parent] if parent is not None else None, rank=rank
                ).pk
            ),
        )
    number = pick(arguments[0], ids)
    node, named = plain.nodes[number], {"actor": SYSTEM, "category_id": ids[number]}
    if verb == "move":
        parent, rank = pick(arguments[1], ids), arguments[2]
        return (
            lambda: plain.move(node, None if parent is None else plain.nodes[parent], rank),
            lambda: category_tree.move(**named, parent_id=None if parent is None else ids[parent], rank=rank),
        )
    if verb == "activate":
        return (
            lambda: plain.activate(node, arguments[1]),
            lambda: category_tree.update(**named, is_active=arguments[1]),
        )
    return (lambda: getattr(plain, verb)(node), lambda: getattr(category_tree, verb)(**named))


def pick(chosen: int | None, ids: list[str]) -> int | None:
    return None if chosen is None or not ids else chosen % len(ids)
