"""What lists show of other tables, read once for all rows of a page."""

from collections.abc import Iterable
from typing import Any

from django.http import HttpRequest
from unfold.views import ChangeList


class LinkedList(ChangeList):  # type: ignore[misc]
    """Asks the screen to add its links to the rows on the page."""

    page_num: int

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        self.page_num = min(self.page_num, self.paginator.num_pages)  # as LastPageAtMost has answered
        rows = list(self.rows_of_page())
        self.model_admin.add_links(request, rows)
        self.result_list = rows

    def rows_of_page(self) -> Iterable[Any]:
        """Those that Django has selected, not read yet."""
        rows: Iterable[Any] = self.result_list
        return rows
