"""The screens of stock locations and shipping profiles."""

from typing import Any

from django import forms
from django.contrib import admin
from unfold.widgets import (
    UnfoldAdminCheckboxSelectMultipleWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextInputWidget,
)

from kit.admin.forms.record_section import record_section
from kit.admin.forms.soft_deletion_form import SoftDeletionForm
from kit.admin.sections import Section
from kit.editing.states import RowState
from kit.errors import InvalidData
from kit.values import places
from shop.admin.country_choices import grouped_countries
from shop.admin.undeletable import UndeletableAdmin
from shop.logistics import shipping_profiles, stock_locations
from shop.models import ShippingProfile, StockLocation
from shop.models.addresses import PLACE_TEXTS


def _line(label: str, *, help_text: str = "") -> forms.CharField:
    return forms.CharField(
        label=label, required=False, empty_value=None, help_text=help_text, widget=UnfoldAdminTextInputWidget
    )


class StockLocationForm(SoftDeletionForm):
    """A location with its address, which is stored as a row of its own."""

    company = _line("Company")
    address_1 = _line("Address")
    address_2 = _line("Address, second line")
    city = _line("City")
    country_code = forms.TypedChoiceField(
        label="Country", required=False, empty_value=None, choices=grouped_countries, widget=UnfoldAdminSelectWidget
    )
    province = _line("Province", help_text="The code or the name, like us-ny, ny or New York.")
    postal_code = _line("Postal code")
    phone = _line("Phone")

    class Meta:
        help_texts = {
            "sales_channels": "Customers of these channels can buy what the location has.",
            "fulfillment_providers": "Programs offer these for shipping from the location.",
        }
        widgets = dict.fromkeys(help_texts, UnfoldAdminCheckboxSelectMultipleWidget)

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.address:
            self.initial.update({name: getattr(self.instance.address, name) for name in PLACE_TEXTS})
            self.initial["province"] = places.province_to_edit(self.instance.address.province)

    def clean_province(self) -> str | None:
        text = self.cleaned_data["province"]
        try:
            return places.province(text, country_code=self.cleaned_data.get("country_code")) if text else None
        except InvalidData as refusal:
            raise forms.ValidationError(refusal.message) from refusal


@admin.register(StockLocation)
class StockLocationAdmin(UndeletableAdmin[StockLocation]):
    """Warehouses and shops, which stock levels refer to."""

    section = Section.SETTINGS
    icon = "warehouse"
    nothing_yet = "A stock location is a warehouse or shop that holds goods."
    verbs = stock_locations.VERBS
    form = StockLocationForm
    preselected = ("sales_channels",)

    list_display = ("name", "address", "updated_at")
    list_select_related = ("address",)
    search_fields = ("name", "address__city", "=id")
    ordering = ("name",)
    readonly_fields = ("id", "created_at", "updated_at")
    fieldsets = (
        (None, {"fields": ("name", "sales_channels", "fulfillment_providers")}),
        ("Address", {"fields": PLACE_TEXTS}),
        record_section("metadata", "id", "created_at", "updated_at"),
    )

    def state_of(self, form: Any) -> RowState:
        """With the whole address."""
        address = {name: form.cleaned_data[name] for name in PLACE_TEXTS}
        state: RowState = form.state(stock_locations.VERBS.state, address=address)
        return state


@admin.register(ShippingProfile)
class ShippingProfileAdmin(UndeletableAdmin[ShippingProfile]):
    """Groups of products that ship alike; products and shipping options refer to them."""

    section = Section.SETTINGS
    icon = "package_2"
    nothing_yet = "A shipping profile groups goods that ship alike, such as bulky ones."
    verbs = shipping_profiles.VERBS

    list_display = ("name", "type", "updated_at")
    search_fields = ("name", "type", "=id")
    ordering = ("name",)
    readonly_fields = ("id", "created_at", "updated_at")
    fieldsets = (
        (None, {"fields": ("name", "type")}),
        record_section("metadata", "id", "created_at", "updated_at"),
    )
