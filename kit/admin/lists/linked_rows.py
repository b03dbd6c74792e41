"""What lists show of other tables, read once for all rows of a page."""

from typing import Any

from django.http import HttpRequest
from unfold.views import ChangeList


class LinkedList(ChangeList):  # type: ignore[misc]
    """Asks the screen to add its links to the rows on the page."""

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        rows: list[Any] = list(self.result_list)  # type: ignore[has-type]
        self.model_admin.add_links(request, rows)
        self.result_list = rows
