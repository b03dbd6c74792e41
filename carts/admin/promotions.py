"""The screens of promotions."""

from typing import Any

from django.contrib import admin

from carts.models import Promotion
from carts.promotion_editing import VERBS
from carts.promotion_terms import fault
from commerce.kit.admin.deletion_filter import DeletionFilter
from commerce.kit.admin.sections import Section
from commerce.kit.admin.soft_deletion_admin import SoftDeletionAdmin
from commerce.kit.admin.soft_deletion_form import SoftDeletionForm
from commerce.shop.admin.currency_choices import put_shop_currencies_first


class PromotionForm(SoftDeletionForm):
    """Checks the rules of carts/promotion_terms.py."""

    class Meta:
        help_texts = {"currency": "Only for a fixed amount."}

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        if "currency" in self.fields:
            put_shop_currencies_first(self.fields["currency"])

    def clean(self) -> dict[str, Any] | None:
        cleaned = super().clean()
        if not self.errors:
            given, currency = self.cleaned_data, self.cleaned_data.get("currency")
            problem = fault(
                type=given["type"],
                value=given["value"],
                currency_id=currency.pk if currency else None,
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
    icon = "redeem"
    verbs = VERBS
    form = PromotionForm
    deletion_note = "Open carts lose it with their next change. It can be restored."

    list_display = ("code", "type", "value", "currency", "target", "is_automatic", "starts_at", "ends_at", "used")
    list_filter = ("is_automatic", "type", "target", DeletionFilter)
    list_select_related = ("currency",)
    search_fields = ("code", "=id")
    search_help_text = "Code or id"
    ordering = ("-created_at", "-id")
    autocomplete_fields = ("products",)
    readonly_fields = ("used", "id", "created_at", "updated_at", "deleted_at")
    fieldsets = (
        (None, {"fields": ("code", "is_automatic", ("type", "value"), "currency", "target", "products")}),
        ("When", {"fields": ("starts_at", "ends_at", "usage_limit", "usage_limit_per_customer")}),
        ("More", {"fields": ("metadata",)}),
        ("Record", {"fields": ("used", "id", "created_at", "updated_at", "deleted_at"), "classes": ("collapse",)}),
    )
    add_fieldsets = fieldsets[:3]
