"""The screens of providers."""

from django.contrib import admin

from commerce.kit.admin.sections import Section
from commerce.kit.core.locking import Row
from commerce.shop.admin.fixed import FixedAdmin
from commerce.shop.models import FulfillmentProvider, PaymentProvider


class ProviderAdmin(FixedAdmin[Row]):
    """Providers come with their code; staff switch them on and off."""

    section = Section.SHOP

    list_display = ("id", "is_enabled", "updated_at")
    list_filter = ("is_enabled",)
    ordering = ("id",)
    fields = ("id", "is_enabled", "created_at", "updated_at")
    readonly_fields = ("id", "created_at", "updated_at")


@admin.register(PaymentProvider)
class PaymentProviderAdmin(ProviderAdmin[PaymentProvider]):
    """Who takes payments."""

    icon = "payments"


@admin.register(FulfillmentProvider)
class FulfillmentProviderAdmin(ProviderAdmin[FulfillmentProvider]):
    """Who ships."""

    icon = "local_shipping"
