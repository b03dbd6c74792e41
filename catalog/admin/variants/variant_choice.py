"""The form field that chooses a variant."""

from catalog.admin.variants.variants import label
from catalog.models import ProductVariant
from kit.admin.forms.row_choices import RowChoice


class VariantChoice(RowChoice):
    """A variant, searched as one types, by the name that its screen gives it."""

    def label_from_instance(self, obj: ProductVariant) -> str:
        return label(obj)
