"""Lists of a tree in the tree's own order."""

from collections.abc import Iterable
from typing import Any

from django.contrib.admin.views.main import ORDER_VAR

from kit.admin.lists.linked_rows import LinkedList


class OutlineChangeList(LinkedList):
    """Every row right below its parent and among siblings by rank, unless the user sorts by a column.

    The model has `path`, the ids from its root to itself joined by dots, and `rank` among siblings. Ranks are read for
    the whole table, two columns a row, since any of them may decide what stands on the page: one statement.
    """

    def rows_of_page(self) -> Iterable[Any]:
        return super().rows_of_page() if ORDER_VAR in self.params else self._page_in_order()

    @property
    def is_narrowed(self) -> bool:
        """Whether rows may stand here without their parents."""
        return bool(self.query or self.has_active_filters or ORDER_VAR in self.params)

    def _page_in_order(self) -> list[Any]:
        ranks = dict(self.model.objects.values_list("pk", "rank"))
        paths = self.queryset.order_by().values_list("pk", "path")
        in_order = sorted(paths, key=lambda row: [(ranks[link], link) for link in row[1].split(".")])
        first = 0 if self.show_all else (self.page_num - 1) * self.list_per_page
        keys = [key for key, _ in in_order[first : first + self.list_per_page]]
        rows = self.queryset.in_bulk(keys)
        return [rows[key] for key in keys]
