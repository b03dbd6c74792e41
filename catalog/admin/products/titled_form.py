"""The form of rows with a title and a handle."""

from catalog.admin.handle_form import HandleForm
from kit.admin.forms.soft_deletion_form import SoftDeletionForm


class TitledForm(HandleForm, SoftDeletionForm):
    """An empty handle is derived from the title."""

    named_by = "title"
    optional = ("handle",)

    class Meta:
        help_texts = {"handle": "Part of the page's URL. Derived from the title if left empty."}
