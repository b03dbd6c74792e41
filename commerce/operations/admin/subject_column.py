"""A column that links to what an email or event is about."""

from collections.abc import Callable
from operator import attrgetter
from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from orders.admin.subject_links import subject_links


class SubjectColumn:
    """For rows that know by its id what they are about. about: gets the id."""

    def __init__(self, about: Callable[[Any], str] = attrgetter("about")) -> None:
        self._about = about

    def add_links(self, request: HttpRequest, rows: list[Any]) -> None:
        """At most a statement for each kind of what the rows are about, and one for orders."""
        links = subject_links(request, {self._about(row) for row in rows})
        for row in rows:
            row.subject_link = links.get(self._about(row), self._about(row))  # what is gone has no name

    @admin.display(description="About")
    def about_link(self, row: Any) -> str:
        link: str = row.subject_link
        return link
