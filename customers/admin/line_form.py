"""The form of what says something of a person."""

from typing import Any

from django.db.models import TextField
from unfold.widgets import UnfoldAdminTextInputWidget

from commerce.kit.admin.soft_deletion_form import SoftDeletionForm
from commerce.kit.core import text
from commerce.kit.core.errors import InvalidData

ONE_LINE: Any = {TextField: {"widget": UnfoldAdminTextInputWidget}}
"""The admin's `formfield_overrides` for such texts."""


class LineForm(SoftDeletionForm):
    """Its texts are one line each, as the verbs demand them."""

    def clean(self) -> dict[str, object] | None:
        cleaned = super().clean() or self.cleaned_data
        for name, value in list(cleaned.items()):
            if isinstance(value, str):
                try:
                    text.checked(value, field=name, longest=text.LONGEST, one_line=True)
                except InvalidData as refusal:
                    self.add_refusal(name, refusal)
        return cleaned
