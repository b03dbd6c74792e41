"""Links of rows to screens of other tables, read once for all rows of a page."""

from typing import Any

from django.contrib.admin.views.main import ChangeList
from django.http import HttpRequest


class LinkedList(ChangeList):
    """Adds the links to only the rows on the page."""

    model_admin: Any  # one of LinkedRows

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        rows: list[Any] = list(self.result_list)
        self.model_admin.add_links(request, rows)
        self.result_list = rows


class LinkedRows:
    """Mixin for admin classes, which show what `add_links` adds to the rows. It must come before BaseAdmin."""

    def add_links(self, request: HttpRequest, rows: list[Any]) -> None:
        """Set attributes on the rows, in as many statements for many rows as for one."""
        raise NotImplementedError

    def get_changelist(self, request: HttpRequest, **kwargs: object) -> type[ChangeList]:
        return LinkedList

    def get_object(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        row = super().get_object(request, *args, **kwargs)  # type: ignore[misc]
        if row is not None:
            self.add_links(request, [row])
        return row
