"""The form of rows with a handle."""

from typing import ClassVar

from django.core.exceptions import ValidationError

from catalog.admin.search_engines import FormerHandlesForm
from catalog.errors import HandleRequired
from catalog.handles import handle_of, normalized
from kit.admin.forms.verb_form import VerbForm


class HandleForm(FormerHandlesForm, VerbForm):
    """A new handle becomes what a URL can hold.

    An empty one is derived from the field `named_by`, which must come before it.
    """

    named_by: ClassVar[str]

    def clean_handle(self) -> str:
        handle: str = self.cleaned_data["handle"]
        name: str = self.cleaned_data.get(self.named_by) or ""
        if not (handle or name) or (handle and handle == self.initial.get("handle")):
            return handle
        try:
            return normalized(handle) if handle else handle_of(name)
        except HandleRequired as refusal:
            raise ValidationError(refusal.message) from refusal
