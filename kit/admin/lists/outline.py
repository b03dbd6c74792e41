"""Lists of a tree in the tree's own order, whose branches can be folded."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple

from django.contrib.admin.views.main import ORDER_VAR, PAGE_VAR
from django.db.models import QuerySet
from django.http import HttpRequest

from kit.admin.lists.linked_rows import LinkedList

OPEN, CLOSED = "open", "closed"
"""The parameters: the ids of the rows that are unfolded while all others are folded, or the other way round."""


class Branch(NamedTuple):
    """A row with others below it. address: of the list with the row folded, or unfolded."""

    is_open: bool
    address: str


class OutlineChangeList(LinkedList):
    """Every row right below its parent and among siblings by rank, unless the user sorts by a column.

    The model has `path`, the ids from its root to itself joined by dots, and `rank` among siblings. Both are read for
    the whole table, since any row may decide what stands on the page: one statement. At first a tree that fits on one
    page is unfolded, and a larger one folded. Each row has `branch`, which is None without rows below.
    """

    def get_filters_params(self, params: Mapping[str, Any] | None = None) -> dict[str, Any]:
        given: dict[str, Any] = super().get_filters_params(params)
        return {name: value for name, value in given.items() if name not in (OPEN, CLOSED)}

    def get_queryset(self, request: HttpRequest, exclude_parameters: Any = None) -> QuerySet[Any]:
        """Without the rows in folded branches, so that actions on all rows are on those that are shown."""
        rows: QuerySet[Any] = super().get_queryset(request, exclude_parameters)
        if self.is_narrowed:
            return rows
        places = list(rows.order_by().values_list("pk", "path", "rank"))
        self.ranks = {key: rank for key, _, rank in places}
        # A row below one that is not listed, such as a deleted one, stands as if that one were not there.
        self.links = {key: [link for link in path.split(".") if link in self.ranks] for key, path, _ in places}
        self.parents = {links[-2] for links in self.links.values() if len(links) > 1}
        self.folds = self._folds()
        folded = self.parents - self.unfolded
        self.shown = [key for key, links in self.links.items() if folded.isdisjoint(links[:-1])]
        return rows if len(self.shown) == len(self.links) else rows.filter(pk__in=self.shown)

    def rows_of_page(self) -> Iterable[Any]:
        return super().rows_of_page() if self.is_narrowed else self._page_in_order()

    @property
    def is_narrowed(self) -> bool:
        """Whether rows may stand here without their parents."""
        return bool(self.query or self.has_active_filters or ORDER_VAR in self.params)

    @property
    def unfolded(self) -> set[str]:
        """The ids of the rows with others below them that are shown."""
        way, keys = self.folds
        return self.parents & keys if way == OPEN else self.parents - keys

    @property
    def all_folded(self) -> str:
        """The address of the list with only the top of the tree."""
        return self._folded(OPEN, ())

    @property
    def all_unfolded(self) -> str:
        """The address of the list with the whole tree."""
        return self._folded(CLOSED, ())

    def _folds(self) -> tuple[str, set[str]]:
        """The parameter that holds, and its ids."""
        way = next((name for name in (CLOSED, OPEN) if name in self.params), None)
        if way is not None:
            return way, set(self.params[way].split("."))
        return (CLOSED if len(self.links) <= self.list_per_page else OPEN), set[str]()

    def _folded(self, way: str, keys: Collection[str]) -> str:
        address: str = self.get_query_string({way: ".".join(sorted(keys))}, remove=[OPEN, CLOSED, PAGE_VAR])
        return address

    def _branch(self, key: str) -> Branch | None:
        if key not in self.parents:
            return None
        way, keys = self.folds
        return Branch(key in self.unfolded, self._folded(way, self.parents & {*keys} ^ {key}))

    def _page_in_order(self) -> list[Any]:
        in_order = sorted(self.shown, key=lambda key: [(self.ranks[link], link) for link in self.links[key]])
        first = 0 if self.show_all else (self.page_num - 1) * self.list_per_page
        keys = in_order[first : first + self.list_per_page]
        rows = self.queryset.in_bulk(keys)
        for key, row in rows.items():
            row.branch = self._branch(key)
        return [rows[key] for key in keys]
