"""What forms and the tables below them have in common."""

from typing import Any

from django.contrib.admin.widgets import RelatedFieldWidgetWrapper
from django.db.models import TextField
from django.http import HttpRequest
from unfold.mixins import BaseModelAdminMixin
from unfold.widgets import UnfoldAdminTextareaWidget

from commerce.kit.admin.text_fields import PlainText


class PlainPickers(BaseModelAdminMixin):  # type: ignore[misc]
    """Pickers without the buttons that open another model's form in a new window; text areas of few lines."""

    formfield_overrides: Any = {
        TextField: {"form_class": PlainText, "widget": UnfoldAdminTextareaWidget(attrs={"rows": 4})}
    }

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        field = super().formfield_for_dbfield(db_field, request, **kwargs)
        if field is not None and isinstance(field.widget, RelatedFieldWidgetWrapper):
            field.widget = field.widget.widget
        return field
