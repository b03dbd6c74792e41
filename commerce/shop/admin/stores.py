"""The screens of the store and its sales channels."""

from typing import Any

from django.contrib import admin
from django.db.models import Field
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from commerce.kit.admin.sections import Section
from commerce.shop.admin.fixed import FixedAdmin
from commerce.shop.admin.lasting import LastingAdmin
from commerce.shop.models import Region, SalesChannel, Store


@admin.register(SalesChannel)
class SalesChannelAdmin(LastingAdmin[SalesChannel]):
    """Channels are closed, not deleted: keys, and whatever is sold, go on naming them."""

    section = Section.SHOP
    icon = "storefront"

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


@admin.register(Store)
class StoreAdmin(FixedAdmin[Store]):
    """The one row there is: made by a migration, and never deleted."""

    section = Section.SHOP
    icon = "store"
    menu_title = "Store"

    fields = ("name", "default_sales_channel", "default_region", "id", "created_at", "updated_at")
    readonly_fields = ("id", "created_at", "updated_at")

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, object] | None = None) -> HttpResponse:
        """No list of one: its form, which asks for the same permission."""
        return redirect("admin:shop_store_change", Store.objects.get().pk)

    def formfield_for_foreignkey(self, db_field: Field[object, object], request: HttpRequest, **kwargs: object) -> Any:
        """A shop with regions has a default one: without it no price would have a currency."""
        living = (Region if db_field.name == "default_region" else SalesChannel).objects.not_deleted().order_by("name")
        field = super().formfield_for_foreignkey(db_field, request, **{**kwargs, "queryset": living})
        field.required = living.exists()
        return field
