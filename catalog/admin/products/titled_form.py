"""The form of rows with a title and a handle."""

from collections.abc import Sequence

from catalog.admin.handle_form import HandleForm
from catalog.models.former_handles import FORMER
from kit.admin.forms.soft_deletion_form import SoftDeletionForm


class TitledForm(HandleForm, SoftDeletionForm):
    """An empty handle is derived from the title."""

    named_by = "title"
    optional = ("handle",)

    class Meta(HandleForm.Meta):
        help_texts = HandleForm.Meta.help_texts | {
            "handle": "Part of the page's URL. Derived from the title if left empty."
        }

    def attributes(self, names: Sequence[str]) -> dict[str, object]:
        """With the former handles."""
        given = super().attributes(names)
        return given | ({FORMER: self.cleaned_data[FORMER]} if FORMER in names else {})
