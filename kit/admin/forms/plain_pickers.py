"""What forms and the tables below them have in common: their pickers, and the fields of amounts and dates."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django.contrib.admin.widgets import RelatedFieldWidgetWrapper
from django.db.models import DateTimeField, Field, FloatField, IntegerField, PositiveIntegerField, TextField
from django.http import HttpRequest
from unfold.mixins import BaseModelAdminMixin
from unfold.widgets import UnfoldAdminTextareaWidget, UnfoldAdminTextInputWidget

from kit.admin.forms.amount_fields import AmountField, CountField, MeasureField, PercentageField
from kit.admin.forms.moment_fields import MomentField, MomentWidget
from kit.admin.forms.row_choices import RowChoice, RowChoices
from kit.admin.forms.searched_rows import SearchedRow, SearchedRows
from kit.admin.forms.text_fields import PlainText
from kit.values.money import MoneyField, PercentField

_NUMBER = {"widget": UnfoldAdminTextInputWidget}
_ENDS = ("ends_at", "expires_at")


class PlainPickers(BaseModelAdminMixin):  # type: ignore[misc]
    """Pickers without the buttons that open another model's form in a new window; text areas of few lines.

    Pickers that search as one types have a text field, too, for browsers without JavaScript.
    """

    formfield_overrides: ClassVar[Mapping[type[Field[object, object]], Mapping[str, object]]] = {
        TextField: {"form_class": PlainText, "widget": UnfoldAdminTextareaWidget(attrs={"rows": 4})},
        MoneyField: {"form_class": AmountField, **_NUMBER},
        PercentField: {"form_class": PercentageField, **_NUMBER},
        FloatField: {"form_class": MeasureField, **_NUMBER},
        IntegerField: {"form_class": CountField, "is_signed": True, **_NUMBER},
        PositiveIntegerField: {"form_class": CountField, **_NUMBER},
        DateTimeField: {"form_class": MomentField, "widget": MomentWidget},
    }

    def formfield_for_dbfield(self, db_field: Field[object, object], request: HttpRequest, **kwargs: object) -> Any:
        if db_field.name in self.get_autocomplete_fields(request):
            picker = SearchedRows if db_field.many_to_many else SearchedRow
            kwargs = {"widget": picker(db_field, self.admin_site), **kwargs}
        if isinstance(db_field, DateTimeField):
            kwargs = {"is_end": db_field.name in _ENDS, **kwargs}
        field = super().formfield_for_dbfield(db_field, request, **kwargs)
        if field is not None and isinstance(field.widget, RelatedFieldWidgetWrapper):
            field.widget = field.widget.widget
        return field


class RowPickers(PlainPickers):
    """Fields of related rows are RowChoice and RowChoices."""

    def formfield_for_foreignkey(self, db_field: Field[object, object], request: HttpRequest, **kwargs: object) -> Any:
        return super().formfield_for_foreignkey(db_field, request, **{"form_class": RowChoice, **kwargs})

    def formfield_for_manytomany(self, db_field: Field[object, object], request: HttpRequest, **kwargs: object) -> Any:
        return super().formfield_for_manytomany(db_field, request, **{"form_class": RowChoices, **kwargs})
