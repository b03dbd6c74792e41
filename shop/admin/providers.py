"""The screens of providers."""

from django.contrib import admin

from kit.admin.screens.verb_admin import Stored
from kit.admin.sections import Section
from shop.admin.undeletable import UndeletableAdmin
from shop.models import FulfillmentProvider, PaymentProvider
from shop.providers.provider_editing import FULFILLMENT_PROVIDERS, PAYMENT_PROVIDERS


class ProviderAdmin(UndeletableAdmin[Stored]):
    """Providers come with their code; staff enable and disable them."""

    section = Section.SETTINGS
    forbids = frozenset({"add", "delete"})

    list_display = ("id", "is_enabled", "updated_at")
    list_filter = ("is_enabled",)
    ordering = ("id",)
    fields = ("id", "is_enabled", "created_at", "updated_at")
    readonly_fields = ("id", "created_at", "updated_at")


@admin.register(PaymentProvider)
class PaymentProviderAdmin(ProviderAdmin[PaymentProvider]):
    """Payment providers."""

    icon = "payments"
    nothing_yet = "Operators register payment providers with a shop file."
    verbs = PAYMENT_PROVIDERS


@admin.register(FulfillmentProvider)
class FulfillmentProviderAdmin(ProviderAdmin[FulfillmentProvider]):
    """Fulfillment providers."""

    icon = "local_shipping"
    nothing_yet = "Operators register fulfillment providers with a shop file."
    verbs = FULFILLMENT_PROVIDERS
