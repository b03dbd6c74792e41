"""The screens of the store and its sales channels."""

from typing import Any

from django.contrib import admin
from django.db.models import Field
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.timezone import get_current_timezone_name

from kit.admin.sections import Section
from shop.admin.store_form import SELLER_SAVED, SELLER_SECTION, StoreForm
from shop.admin.undeletable import UndeletableAdmin
from shop.models import Region, SalesChannel, Store
from shop.stores import sales_channels, store_editing


@admin.register(SalesChannel)
class SalesChannelAdmin(UndeletableAdmin[SalesChannel]):
    """Channels are disabled, not deleted: keys, carts and products refer to them."""

    section = Section.SETTINGS
    icon = "storefront"
    nothing_yet = "You sell in sales channels, such as a web shop. Products and storefront keys belong to them."
    verbs = sales_channels.VERBS

    list_display = ("name", "description", "is_disabled", "updated_at")
    list_filter = ("is_disabled",)
    search_fields = ("name", "description", "=id")
    ordering = ("name",)
    readonly_fields = ("id", "created_at", "updated_at")
    fieldsets = (
        (None, {"fields": ("name", "description", "is_disabled")}),
        ("Record", {"fields": ("id", "created_at", "updated_at")}),
    )


@admin.register(Store)
class StoreAdmin(UndeletableAdmin[Store]):
    """The only store, created by a migration and never deleted."""

    section = Section.SETTINGS
    icon = "store"
    nothing_yet = "Installing the shop creates its only store."
    verbs = store_editing.VERBS
    forbids = frozenset({"add", "delete"})
    menu_title = "Store"

    form = StoreForm

    readonly_fields = ("time_zone", "id", "created_at", "updated_at")
    fieldsets = (
        (None, {"fields": ("name", "default_sales_channel", "default_region", "time_zone")}),
        SELLER_SECTION,
        ("Record", {"fields": ("id", "created_at", "updated_at")}),
    )

    def save_model(self, request: HttpRequest, obj: Store, form: Any, change: bool) -> None:
        """What waits for the seller's data may go on."""
        super().save_model(request, obj, form, change)
        SELLER_SAVED.get()(request)

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, object] | None = None) -> HttpResponse:
        """Redirects to the form of the only store, which requires the same permission."""
        return redirect("admin:shop_store_change", Store.objects.get().pk)

    @admin.display(description="Time zone")
    def time_zone(self, row: Store) -> str:
        """The zone of days and times on the admin site."""
        return f"{get_current_timezone_name()}. The setting TIME_ZONE changes it."

    def formfield_for_foreignkey(self, db_field: Field[object, object], request: HttpRequest, **kwargs: object) -> Any:
        """A shop with regions must have a default one: without it no price would have a currency."""
        rows = (Region if db_field.name == "default_region" else SalesChannel).objects.not_deleted().order_by("name")
        field = super().formfield_for_foreignkey(db_field, request, **{**kwargs, "queryset": rows})
        field.required = rows.exists()
        return field
