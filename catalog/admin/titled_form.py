"""The form of what has a title and a handle."""

from django import forms

from catalog.errors import HandleNeeded
from catalog.product_details import handle_for
from commerce.kit.admin.soft_deletion_form import SoftDeletionForm


class TitledForm(SoftDeletionForm):
    """The handle may be left to the title."""

    optional = ("handle",)

    class Meta:
        help_texts = {"handle": "Part of the page's address. Made of the title when left empty."}

    def clean_handle(self) -> str:
        handle: str = self.cleaned_data["handle"]
        if "title" not in self.cleaned_data:
            return handle
        try:
            return handle_for(title=self.cleaned_data["title"], handle=handle)
        except HandleNeeded as refusal:
            raise forms.ValidationError(refusal.message) from refusal
