"""What forms and the tables below them have in common: their pickers, and the fields of amounts, dates and metadata."""

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib.admin.widgets import RelatedFieldWidgetWrapper
from django.db.models import (
    DateTimeField,
    Field,
    FloatField,
    ForeignKey,
    IntegerField,
    ManyToManyField,
    PositiveIntegerField,
    TextField,
)
from django.http import HttpRequest
from unfold.widgets import UnfoldAdminTextareaWidget, UnfoldAdminTextInputWidget

from kit.admin.forms.amount_fields import AmountField, CountField, MeasureField, PercentageField
from kit.admin.forms.metadata_field import MetadataField
from kit.admin.forms.moment_fields import MomentField, MomentWidget
from kit.admin.forms.row_choices import RowChoice, RowChoices
from kit.admin.forms.searched_rows import SearchedRow, SearchedRows
from kit.admin.forms.text_fields import PlainText
from kit.values.money import MoneyField, PercentField

_NUMBER = {"widget": UnfoldAdminTextInputWidget}
_ENDS = ("ends_at", "expires_at")

PLAIN_FIELDS: Mapping[type[Field[Any, Any]], Mapping[str, object]] = {
    TextField: {"form_class": PlainText, "widget": UnfoldAdminTextareaWidget(attrs={"rows": 4})},
    MoneyField: {"form_class": AmountField, **_NUMBER},
    PercentField: {"form_class": PercentageField, **_NUMBER},
    FloatField: {"form_class": MeasureField, **_NUMBER},
    IntegerField: {"form_class": CountField, "is_signed": True, **_NUMBER},
    PositiveIntegerField: {"form_class": CountField, **_NUMBER},
    DateTimeField: {"form_class": MomentField, "widget": MomentWidget},
    ForeignKey: {"form_class": RowChoice},
    ManyToManyField: {"form_class": RowChoices},
}
"""The `formfield_overrides` of screens and tables."""


def plain_field(
    screen: Any, make: Callable[..., Any], db_field: Field[Any, Any], request: HttpRequest, **kwargs: object
) -> Any:
    """The field that `make` makes, without the buttons that open another model's form in a new window.

    A picker that searches as one types has a text field, too, for browsers without JavaScript.
    """
    if db_field.name == "metadata":
        return MetadataField(required=False, help_text="Any object, as JSON.")
    if db_field.name in screen.get_autocomplete_fields(request):
        picker = SearchedRows if db_field.many_to_many else SearchedRow
        kwargs = {"widget": picker(db_field, screen.admin_site), **kwargs}
    if isinstance(db_field, DateTimeField):
        kwargs = {"is_end": db_field.name in _ENDS, **kwargs}
    field = make(db_field, request, **kwargs)
    if field is not None and isinstance(field.widget, RelatedFieldWidgetWrapper):
        field.widget = field.widget.widget
    return field
