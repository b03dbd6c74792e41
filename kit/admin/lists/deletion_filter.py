"""Deleted rows stay in their table; lists show them on request."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from django.contrib.admin import SimpleListFilter
from django.contrib.admin.views.main import ChangeList
from django.db.models import Model, QuerySet
from django.http import HttpRequest

if TYPE_CHECKING:
    from django.contrib.admin.filters import _ListFilterChoices


class DeletionFilter(SimpleListFilter):
    """Rows that are not deleted, or the deleted ones if selected."""

    title = "deletion"
    parameter_name = "deleted"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, str]]:
        return [("yes", "Deleted")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Model]) -> QuerySet[Model]:
        return queryset.filter(deleted_at__isnull=self.value() != "yes")

    def choices(self, changelist: ChangeList) -> "Iterator[_ListFilterChoices]":
        """Django calls the choice without a value "All"; here it means not deleted."""
        for choice in super().choices(changelist):
            yield {**choice, "display": "Not deleted"} if choice["display"] == "All" else choice
