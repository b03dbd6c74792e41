"""Tables of a row's parts below its form."""

from typing import Any, ClassVar

from django.db.models import Field, Model, QuerySet
from django.http import HttpRequest
from unfold.admin import TabularInline

from kit.admin.forms.plain_fields import PLAIN_FIELDS, plain_field
from kit.admin.forms.soft_deletion_form import SoftDeletionForm
from kit.admin.inlines.part_formset import PartFormSet
from kit.editing.verbs import RowVerbs
from kit.values.text import whole_number

EMPTY_ROWS, MOST_EMPTY = "rows", 10
"""The parameter of a page's URL that asks for empty rows in its tables."""
ADDED = 100
"""How many rows may be added to a page at once."""


class PartInline(TabularInline):  # type: ignore[misc]
    """A table of parts; those deleted are not shown. verbs: what writes and deletes them."""

    verbs: ClassVar[RowVerbs[Any]]
    form = SoftDeletionForm
    formset = PartFormSet
    formfield_overrides = PLAIN_FIELDS
    extra = 0
    per_page = 50
    hide_title = True
    template_after = "admin/more_rows.html"

    def formfield_for_dbfield(self, db_field: Field[Any, Any], request: HttpRequest, **kwargs: object) -> Any:
        return plain_field(self, super().formfield_for_dbfield, db_field, request, **kwargs)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows: QuerySet[Any] = super().get_queryset(request)
        return rows.filter(deleted_at=None).order_by(*(self.ordering or ("pk",)))

    def get_extra(self, request: HttpRequest, obj: Model | None = None, **kwargs: object) -> int:
        """Empty rows for browsers without JavaScript, which cannot add any: as many as the URL asks for."""
        extra: int = super().get_extra(request, obj, **kwargs)
        return extra + min(whole_number(request.GET.get(EMPTY_ROWS, "")) or 0, MOST_EMPTY)

    def get_max_num(self, request: HttpRequest, obj: Model | None = None, **kwargs: object) -> int:
        """The rows of a page plus those that may be added to it, unless fewer are allowed."""
        allowed: int | None = super().get_max_num(request, obj, **kwargs)
        return self.per_page + ADDED if allowed is None else allowed

    def get_formset(self, request: HttpRequest, obj: Any = None, **kwargs: object) -> type[PartFormSet]:
        """Without Django's search for rows that a deletion would cascade to: ours does not cascade."""
        formset: type[PartFormSet] = super().get_formset(
            request, obj, **{"absolute_max": self.per_page + ADDED, **kwargs}
        )
        formset.form.hand_clean_DELETE = lambda form: None
        formset.form.shown_to = request
        formset.verbs = self.verbs
        formset.may_overwrite = self.has_change_permission(request, obj) or self.has_delete_permission(request, obj)
        return formset
