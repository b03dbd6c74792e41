"""The form of rows with single-line texts."""

from typing import Any, ClassVar

from django.db.models import TextField
from unfold.widgets import UnfoldAdminTextInputWidget

from kit.admin.forms.plain_fields import PLAIN_FIELDS
from kit.admin.forms.soft_deletion_form import SoftDeletionForm
from kit.errors import InvalidData
from kit.values import text

ONE_LINE: Any = {**PLAIN_FIELDS, TextField: {"widget": UnfoldAdminTextInputWidget}}
"""The admin's `formfield_overrides` for single-line texts."""


class LineForm(SoftDeletionForm):
    """Requires texts of a single line, as the verbs do. multiline: the fields that may have more."""

    multiline: ClassVar[frozenset[str]] = frozenset()

    def clean(self) -> dict[str, object] | None:
        cleaned = super().clean() or self.cleaned_data
        for name, value in list(cleaned.items()):
            if isinstance(value, str) and name not in self.multiline:
                try:
                    text.checked(value, field=name, longest=text.LONGEST, one_line=True)
                except InvalidData as refusal:
                    self.add_refusal(name, refusal)
        return cleaned
