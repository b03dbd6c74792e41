"""The screens of providers."""

from django.contrib import admin

from commerce.kit.admin.sections import Section
from commerce.kit.core.locking import Row
from commerce.shop.admin.change_only import ChangeOnlyAdmin
from commerce.shop.models import FulfillmentProvider, PaymentProvider


class ProviderAdmin(ChangeOnlyAdmin[Row]):
    """Providers come with their code; staff enable and disable them."""

    section = Section.SETTINGS

    list_display = ("id", "is_enabled", "updated_at")
    list_filter = ("is_enabled",)
    ordering = ("id",)
    fields = ("id", "is_enabled", "created_at", "updated_at")
    readonly_fields = ("id", "created_at", "updated_at")


@admin.register(PaymentProvider)
class PaymentProviderAdmin(ProviderAdmin[PaymentProvider]):
    """Payment providers."""

    icon = "payments"


@admin.register(FulfillmentProvider)
class FulfillmentProviderAdmin(ProviderAdmin[FulfillmentProvider]):
    """Fulfillment providers."""

    icon = "local_shipping"
