"""A column that links to what an email or event is about."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from kit.admin.lists.linked_rows import LinkedRows
from orders.admin.subject_links import subject_links


class SubjectColumn(LinkedRows):
    """Mixin for screens of rows that know by its id what they are about. It must come before BaseAdmin."""

    def about(self, row: Any) -> str:
        """The id."""
        about: str = row.about
        return about

    def add_links(self, request: HttpRequest, rows: list[Any]) -> None:
        """At most a statement for each kind of what the rows are about, and one for orders."""
        links = subject_links(request, {self.about(row) for row in rows})
        for row in rows:
            row.subject_link = links.get(self.about(row), self.about(row))  # what is gone has no name

    @admin.display(description="About")
    def about_link(self, row: Any) -> str:
        link: str = row.subject_link
        return link
