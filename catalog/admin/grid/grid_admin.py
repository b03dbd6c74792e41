"""The screen of products: with the grid of variants, or with plain tables."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from django.http import HttpRequest

from catalog.admin.grid.grid_rows import may_use_grid
from catalog.admin.grid.product_grid import NAME, TABLES, GridForm, history_of
from catalog.models import Product
from catalog.products.product_editing.editing import edit_products
from catalog.products.product_editing.edits import ProductEditRefused
from kit.admin.history.change_message import ChangeMessage, FormSet
from kit.admin.request_actor import request_actor
from kit.admin.screens.soft_deletion_admin import SoftDeletionAdmin

_DECIDED = "commerce.shows_tables"


class GridAdmin(SoftDeletionAdmin[Product]):
    """grid_form: the form with the grid; `form` is the one above plain tables."""

    grid_form: type[GridForm]

    def shows_tables(self, request: HttpRequest, obj: Product | None) -> bool:
        """Whether the page has plain tables: if the URL asks for them, or the grid cannot be used."""
        if _DECIDED not in request.META:
            may_write = self.has_change_permission(request, obj) if obj else self.has_add_permission(request)
            request.META[_DECIDED] = TABLES in request.GET or not may_write or not may_use_grid(request, obj)
        return bool(request.META[_DECIDED])

    def get_form(self, request: HttpRequest, obj: Product | None = None, change: bool = False, **kwargs: object) -> Any:
        if not self.shows_tables(request, obj):
            kwargs["form"] = self.grid_form
        form = super().get_form(request, obj, change, **kwargs)
        if isinstance(form.refusal, ProductEditRefused):
            form.grid_refusal, form.refusal = form.refusal, None
        return form

    def get_fieldsets(self, request: HttpRequest, obj: Product | None = None) -> Any:
        fieldsets = super().get_fieldsets(request, obj)
        if not self.shows_tables(request, obj):
            return fieldsets
        return [(title, options) for title, options in fieldsets if options["fields"] != (NAME,)]

    def save_related(self, request: HttpRequest, form: Any, formsets: Iterable[FormSet], change: bool) -> None:
        super().save_related(request, form, formsets, change)
        given = form.submitted if isinstance(form, GridForm) else None
        if given is not None:
            changes = edit_products(actor=request_actor(request), states=[replace(given.state, id=form.instance.pk)])
            form.grid_changes = changes[form.instance.pk]

    def construct_change_message(
        self, request: HttpRequest, form: Any, formsets: Any, add: bool = False
    ) -> Sequence[ChangeMessage]:
        message = super().construct_change_message(request, form, formsets, add)
        return [*message, *history_of(form.grid_changes)] if isinstance(form, GridForm) else message
