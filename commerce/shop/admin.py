"""The screens of what the whole shop shares."""

from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from commerce.admin.base_admin import BaseAdmin
from commerce.admin.sections import Section
from commerce.shop.models import FulfillmentProvider, PaymentProvider, SalesChannel, Store


class SalesChannelForm(forms.ModelForm[SalesChannel]):
    """Names are unique among living channels; Django skips a rule whose condition names a column outside the form."""

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if SalesChannel.objects.alive().filter(name=name).exclude(pk=self.instance.pk).exists():
            raise forms.ValidationError("Another sales channel has this name.")
        return name


@admin.register(SalesChannel)
class SalesChannelAdmin(BaseAdmin):
    """Channels are closed, not deleted: keys, and whatever is sold, go on naming them."""

    section = Section.SHOP
    icon = "storefront"
    form = SalesChannelForm

    list_display = ("name", "description", "is_disabled", "updated_at")
    list_filter = ("is_disabled",)
    search_fields = ("name", "description", "=id")
    ordering = ("name",)
    readonly_fields = ("id", "created_at", "updated_at")
    fieldsets = (
        (None, {"fields": ("name", "description", "is_disabled")}),
        ("Record", {"fields": ("id", "created_at", "updated_at")}),
    )
    add_fieldsets = ((None, {"fields": ("name", "description", "is_disabled")}),)

    def get_queryset(self, request: HttpRequest) -> QuerySet[SalesChannel]:
        rows: QuerySet[SalesChannel] = super().get_queryset(request)
        return rows.filter(deleted_at=None)

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


@admin.register(Store)
class StoreAdmin(BaseAdmin):
    """The one row there is: made by a migration, and never deleted."""

    section = Section.SHOP
    icon = "store"
    menu_title = "Store"

    fields = ("name", "default_sales_channel", "id", "created_at", "updated_at")
    readonly_fields = ("id", "created_at", "updated_at")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """No list of one: its form, which asks for the same permission."""
        return redirect("admin:shop_store_change", Store.objects.get().pk)

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        kwargs["queryset"] = SalesChannel.objects.alive().order_by("name")
        return super().formfield_for_foreignkey(db_field, request, **kwargs)


class ProviderAdmin(BaseAdmin):
    """Providers come with their code; staff switch them on and off."""

    section = Section.SHOP

    list_display = ("id", "is_enabled", "updated_at")
    list_filter = ("is_enabled",)
    ordering = ("id",)
    fields = ("id", "is_enabled", "created_at", "updated_at")
    readonly_fields = ("id", "created_at", "updated_at")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


@admin.register(PaymentProvider)
class PaymentProviderAdmin(ProviderAdmin):
    """Who takes payments."""

    icon = "payments"


@admin.register(FulfillmentProvider)
class FulfillmentProviderAdmin(ProviderAdmin):
    """Who ships."""

    icon = "local_shipping"
