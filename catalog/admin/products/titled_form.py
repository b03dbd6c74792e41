"""The form of rows with a title and a handle."""

from collections.abc import Sequence

from django import forms

from catalog.admin.search_engines import FormerHandlesForm
from catalog.errors import HandleRequired
from catalog.handles import normalized
from catalog.models.former_handles import RELATION
from catalog.products.product_details import handle_for
from kit.admin.forms.soft_deletion_form import SoftDeletionForm


class TitledForm(FormerHandlesForm, SoftDeletionForm):
    """An empty handle is derived from the title."""

    optional = ("handle",)

    class Meta(FormerHandlesForm.Meta):
        help_texts = FormerHandlesForm.Meta.help_texts | {
            "handle": "Part of the page's URL. Derived from the title if left empty."
        }

    def attributes(self, names: Sequence[str]) -> dict[str, object]:
        """With the former handles."""
        given = super().attributes(names)
        return given | ({RELATION: self.cleaned_data[RELATION]} if RELATION in names else {})

    def clean_handle(self) -> str:
        handle: str = self.cleaned_data["handle"]
        if "title" not in self.cleaned_data:
            return handle
        try:
            given = normalized(handle) if handle and handle != self.initial.get("handle") else handle
            return handle_for(title=self.cleaned_data["title"], handle=given)
        except HandleRequired as refusal:
            raise forms.ValidationError(refusal.message) from refusal
