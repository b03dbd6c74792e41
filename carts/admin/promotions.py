"""The screens of promotions."""

from collections.abc import Sequence
from typing import Any, ClassVar

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from unfold.widgets import UnfoldAdminSelectWidget

from carts.models import Promotion
from carts.promotions.derived import has_older_terms
from carts.promotions.promotion_editing import VERBS
from carts.promotions.promotion_terms import fault
from carts.promotions.stated_tax import currencies_and_regions_that_differ
from carts.states import PromotionType
from kit.admin.forms.amount_fields import AmountField
from kit.admin.forms.record_section import record_section
from kit.admin.forms.soft_deletion_form import SoftDeletionForm
from kit.admin.lists.deletion_filter import DeletionFilter
from kit.admin.screens.soft_deletion_admin import SoftDeletionAdmin
from kit.admin.sections import Section
from kit.editing.states import State
from kit.values.money import percent_text
from kit.values.typed_amounts import PERCENT, Scale, without_mark
from kit.values.written_amounts import written
from shop.admin.currency_choices import put_shop_currencies_first

TERMS_OF_AMOUNT = ("currency", "is_tax_inclusive")


class PromotionValue(AmountField):
    """A percentage, or an amount in the promotion's currency."""

    def scale(self) -> Scale:
        return PERCENT if self._is_percentage() else super().scale()

    def bare(self, text: str) -> str:
        return without_mark(text, ("%",)) if self._is_percentage() else super().bare(text)

    def _is_percentage(self) -> bool:
        return bool(self._bound.form["type"].value() == PromotionType.PERCENTAGE)


class PromotionForm(SoftDeletionForm):
    """Checks the rules of carts/promotions/promotion_terms.py."""

    is_tax_inclusive = forms.TypedChoiceField(
        label="Amount includes tax",
        required=False,
        empty_value=None,
        choices=[("", "As its currency"), (True, "Yes"), (False, "No")],
        coerce=lambda chosen: str(chosen) == "True",
        widget=UnfoldAdminSelectWidget,
    )

    class Meta:
        field_classes: ClassVar = {"value": PromotionValue}
        help_texts = {
            "code": "Customers enter it, unless the promotion is automatic; then it is only a name.",
            "is_automatic": "Applies without the code.",
            "status": "Only active promotions apply.",
            "currency": "Of a fixed amount; a percentage with one applies in that currency only.",
            "products": "Type to find products. Empty means all.",
        }

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        if "currency" in self.fields:
            put_shop_currencies_first(self.fields["currency"], stored=self.instance.currency_id)
        if "is_tax_inclusive" in self.fields:
            differences = (f"{difference}." for difference in currencies_and_regions_that_differ().values())
            self.fields["is_tax_inclusive"].help_text = " ".join(["Only for a fixed amount.", *differences])
            if self.instance.type != PromotionType.FIXED and not self.instance.is_tax_inclusive:
                self.initial["is_tax_inclusive"] = None

    def state(self, kind: type[State], **others: object) -> State:
        """The form shows whether the amount includes tax, so that it always says so."""
        return super().state(kind, is_tax_inclusive=self.cleaned_data["is_tax_inclusive"], **others)

    def clean(self) -> dict[str, Any] | None:
        cleaned = super().clean()
        if not self.errors:
            given, currency = self.cleaned_data, self.cleaned_data.get("currency")
            if given["type"] == PromotionType.FIXED and currency is None:
                raise ValidationError({"currency": "Choose the currency of the amount."})
            problem = fault(
                type=given["type"],
                value=given["value"],
                currency_id=currency.pk if currency else None,
                is_tax_inclusive=given["is_tax_inclusive"],
                starts_at=given["starts_at"],
                ends_at=given["ends_at"],
                usage_limit=given["usage_limit"],
                usage_limit_per_customer=given["usage_limit_per_customer"],
                used=self.instance.used,
            )
            if problem:
                self.add_error(problem[0], f"The promotion {problem[1]}.")
        return cleaned


@admin.register(Promotion)
class PromotionAdmin(SoftDeletionAdmin[Promotion]):
    """Discounts by code, or automatic ones."""

    section = Section.CATALOGUE
    daily = "change"
    icon = "redeem"
    nothing_yet = "A promotion is a discount that customers get by its code, or automatically."
    verbs = VERBS
    form = PromotionForm
    deletion_note = "Open carts lose it with their next change. It can be restored."

    list_display = ("code", "worth", "target", "is_automatic", "status", "starts_at", "ends_at", "used")
    list_filter = ("is_automatic", "status", "type", "target", DeletionFilter)
    search_fields = ("code", "=id")
    search_help_text = "Code or id"
    autocomplete_fields = ("products",)
    readonly_fields = ("used", "id", "created_at", "updated_at", "deleted_at")
    fieldsets = (
        (None, {"fields": ("code", "is_automatic", ("type", "value"), TERMS_OF_AMOUNT, "target", "products")}),
        ("When", {"fields": ("starts_at", "ends_at", "usage_limit", "usage_limit_per_customer", "status")}),
        record_section("metadata", "used", "id", "created_at", "updated_at", "deleted_at"),
    )

    def get_readonly_fields(self, request: HttpRequest, obj: Promotion | None = None) -> Sequence[Any]:
        """Also what this form cannot say of a promotion that a program has made, so that saving it changes nothing."""
        fields = super().get_readonly_fields(request, obj)
        return fields if obj is None or has_older_terms(obj) else (*fields, "target", "products")

    @admin.display(description="Value", ordering="value")
    def worth(self, row: Promotion) -> str:
        """`10 %` or `£5.00`."""
        if row.type == PromotionType.FIXED and row.currency_id is not None:
            return written(row.value, row.currency_id)
        return percent_text(row.value)
