"""The screen of currencies."""

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest

from commerce.admin.base_admin import BaseAdmin
from commerce.admin.sections import Section
from commerce.shop.models import Currency


@admin.register(Currency)
class CurrencyAdmin(BaseAdmin):
    """Currencies come with ISO 4217; staff say whether amounts in one contain the tax."""

    section = Section.SHOP
    icon = "currency_exchange"

    list_display = ("code", "name", "decimal_digits", "is_tax_inclusive")
    list_filter = ("is_tax_inclusive",)
    search_fields = ("=code", "name")
    ordering = ("code",)
    fields = ("code", "name", "decimal_digits", "is_tax_inclusive", "created_at", "updated_at")
    readonly_fields = ("code", "name", "decimal_digits", "created_at", "updated_at")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False
