"""The form of a price list, which can also fill the list with reduced prices."""

from decimal import Decimal

from django.contrib import admin

from catalog.models import Product, ProductVariant
from kit.admin.forms.amount_fields import PercentageField
from kit.admin.forms.row_choices import RowChoices
from kit.admin.forms.searched_rows import SearchedRows
from kit.admin.forms.soft_deletion_form import SoftDeletionForm

REDUCTION = ("reduce_by", "products")


class PriceListForm(SoftDeletionForm):
    """A list ends after it starts. The fields of REDUCTION are not stored: the prices are."""

    reduce_by = PercentageField(
        label="Reduce by",
        required=False,
        min_value=Decimal("0.01"),
        max_value=Decimal("99.99"),
        decimal_places=2,
        help_text="A percentage, such as 10.",
    )
    products = RowChoices(
        Product.objects.not_deleted(),
        required=False,
        widget=SearchedRows(ProductVariant._meta.get_field("product"), admin.site),
        help_text="Type to find products. Empty means all.",
    )

    def clean(self) -> dict[str, object] | None:
        cleaned = super().clean()
        given = self.cleaned_data
        starts, ends = given.get("starts_at"), given.get("ends_at")
        if starts and ends and starts >= ends:
            self.add_error("ends_at", "The end must be after the start.")
        if given.get("products") and not given.get("reduce_by") and "reduce_by" not in self.errors:
            self.add_error("reduce_by", "Enter a percentage to reduce the prices of these products.")
        return cleaned
