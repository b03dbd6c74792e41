"""The form of a price list, which can also fill the list with reduced prices."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from hashlib import sha256
from typing import Any

from django import forms
from django.contrib import admin
from unfold.widgets import UnfoldAdminCheckboxSelectMultipleWidget

from catalog.models import Product, ProductVariant
from catalog.prices.reductions.reduction import GOODS, Reduction, reductions_of
from kit.admin.forms.amount_fields import PercentageField
from kit.admin.forms.row_choices import RowChoices
from kit.admin.forms.searched_rows import SearchedRows
from kit.admin.forms.soft_deletion_form import SoftDeletionForm

ENDED = "ended_reductions"
_MOST_NAMED = 3
_RELATIONS: Mapping[str, Any] = {
    "products": ProductVariant._meta.get_field("product"),
    "collections": Product._meta.get_field("collection"),
    "categories": Product._meta.get_field("categories"),
    "tags": Product._meta.get_field("tags"),
    "types": Product._meta.get_field("type"),
}
"""What names the goods of a reduction, each with a field that refers to it."""


def _goods(name: str, help_text: str = "") -> RowChoices:
    rows = _RELATIONS[name].remote_field.model.objects.not_deleted()
    return RowChoices(rows, required=False, widget=SearchedRows(_RELATIONS[name], admin.site), help_text=help_text)


class PriceListForm(SoftDeletionForm):
    """A list ends after it starts. The other fields are not stored as they are: see `reduction` and `ended`."""

    reduce_by = PercentageField(
        label="Reduce by",
        required=False,
        min_value=Decimal("0.01"),
        max_value=Decimal("99.99"),
        decimal_places=2,
        help_text="A percentage, such as 10.",
    )
    products = _goods("products", "Type to find products. If you choose nothing here and below, all are reduced.")
    collections = _goods("collections")
    categories = _goods("categories", "With the categories below them.")
    tags = _goods("tags")
    types = _goods("types")
    ended_reductions = forms.MultipleChoiceField(
        label="Reductions of this list",
        required=False,
        widget=UnfoldAdminCheckboxSelectMultipleWidget(),
        help_text="Check those to end: their prices are removed when you save.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._present = {_digest(one): one for one in reductions_of(self.instance)}
        field: Any = self.fields[ENDED]
        field.choices = zip(self._present, described([*self._present.values()]), strict=True)

    @property
    def reduction(self) -> Reduction | None:
        """The one that the valid form adds."""
        percent = self.cleaned_data.get("reduce_by")
        return Reduction(percent, self._chosen()) if percent else None

    @property
    def ended(self) -> list[Reduction]:
        """The reductions that the valid form ends."""
        return [self._present[key] for key in self.cleaned_data.get(ENDED, ())]

    def clean(self) -> dict[str, object] | None:
        cleaned = super().clean()
        given = self.cleaned_data
        starts, ends = given.get("starts_at"), given.get("ends_at")
        if starts and ends and starts >= ends:
            self.add_error("ends_at", "The end must be after the start.")
        if self._chosen() and not given.get("reduce_by") and "reduce_by" not in self.errors:
            self.add_error("reduce_by", "Enter a percentage to reduce the prices of these products.")
        return cleaned

    def _chosen(self) -> dict[str, list[str]]:
        rows = {name: self.cleaned_data.get(name) or () for name in GOODS}
        return {name: sorted(row.pk for row in chosen) for name, chosen in rows.items() if chosen}


def described(reductions: Sequence[Reduction]) -> list[str]:
    """Each in words: `20% off collections “Spring”, “Tea”, tags “sale”`."""
    return [
        f"{one.percent.normalize():f}% off {', '.join(_named(*each) for each in one.goods.items()) or 'all products'}"
        for one in reductions
    ]


def _named(name: str, ids: Sequence[str]) -> str:
    if len(ids) > _MOST_NAMED:
        return f"{len(ids)} {name}"
    rows = _RELATIONS[name].remote_field.model.objects.filter(pk__in=ids)
    texts = sorted(f"“{row}”" + (" (deleted)" if row.deleted_at else "") for row in rows)
    return f"{name} {', '.join(texts)}"


def _digest(reduction: Reduction) -> str:
    """Identifies the reduction on a page, whatever has become of the others."""
    return sha256(repr(reduction).encode()).hexdigest()[:16]
