"""Read-only tables of a row's parts below its form."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, ClassVar

from django.db.models import Model, QuerySet
from django.http import HttpRequest
from unfold.admin import TabularInline
from unfold.forms import PaginationInlineFormSet

from kit.admin.request_actor import request_actor


class ShownFormSet(PaginationInlineFormSet):  # type: ignore[misc]
    """Ignores submitted data, so that it is always valid."""

    add_links: Callable[[Sequence[Any]], None]
    _has_links = False

    def __init__(self, *, data: object = None, files: object = None, **kwargs: object) -> None:
        super().__init__(**kwargs)
        self.new_objects: list[Model] = []
        self.changed_objects: list[tuple[Model, list[str]]] = []
        self.deleted_objects: list[Model] = []

    def get_queryset(self) -> QuerySet[Any]:
        """The rows of the page, which are read once, with their links."""
        rows: QuerySet[Any] = super().get_queryset()
        if not self._has_links:
            self._has_links = True
            self.add_links(list(rows))
        return rows

    def is_valid(self) -> bool:
        return True

    def save(self, commit: bool = True) -> list[Model]:
        return []


class ReadOnlyInline(TabularInline):  # type: ignore[misc]
    """Shown to users with the permission; read-only."""

    permission: ClassVar[str]

    formset = ShownFormSet
    extra = 0
    can_delete = False
    show_change_link = False
    hide_title = True

    def get_formset(self, request: HttpRequest, obj: Model | None = None, **kwargs: object) -> type[ShownFormSet]:
        formset: type[ShownFormSet] = super().get_formset(request, obj, **kwargs)
        formset.form.shown_to = request
        formset.add_links = staticmethod(partial(self.add_links, request))
        return formset

    def add_links(self, request: HttpRequest, rows: Sequence[Any]) -> None:
        """For subclasses: set attributes on the rows, in as many statements for many rows as for one."""

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return request_actor(request).may(self.permission)

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False
