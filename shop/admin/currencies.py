"""The screen of currencies."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from kit.admin.sections import Section
from kit.values.currencies import NOT_PAID_WITH
from shop import currency_editing
from shop.admin.undeletable import UndeletableAdmin
from shop.models import Currency


@admin.register(Currency)
class CurrencyAdmin(UndeletableAdmin[Currency]):
    """The currencies that people pay with; staff set whether amounts in a currency include tax."""

    section = Section.SETTINGS
    icon = "currency_exchange"
    nothing_yet = "Installing the shop creates the currencies of ISO 4217."
    verbs = currency_editing.VERBS
    forbids = frozenset({"add", "delete"})

    list_display = ("code", "name", "decimal_digits", "is_tax_inclusive")
    list_filter = ("is_tax_inclusive",)
    search_fields = ("=code", "name")
    ordering = ("code",)
    fields = ("code", "name", "decimal_digits", "is_tax_inclusive", "created_at", "updated_at")
    readonly_fields = ("code", "name", "decimal_digits", "created_at", "updated_at")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Currency]:
        return super().get_queryset(request).exclude(pk__in=NOT_PAID_WITH)
