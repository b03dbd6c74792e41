"""The screens of service zones, with their places."""

from typing import Any

from django.contrib import admin
from django.db.models import Field
from django.http import HttpRequest
from unfold.widgets import UnfoldAdminTextInputWidget

from fulfillment.admin.shipping_admin import RECORD, ShippingAdmin
from fulfillment.editing import geo_zone_editing
from fulfillment.editing.geo_zone_details import FieldRequired, require_fields
from fulfillment.editing.shipping_editing import ZONES
from fulfillment.models import GeoZone, ServiceZone
from kit.admin.forms.metadata_field import MetadataField
from kit.admin.forms.soft_deletion_form import SoftDeletionForm
from kit.admin.inlines.part_inline import PartInline
from kit.admin.lists.deletion_filter import DeletionFilter
from kit.errors import InvalidData
from kit.values.places import province, province_to_edit
from shop.admin.country_choices import grouped_countries

_NEEDED = {
    "province_code": "Enter the province, or choose another type.",
    "city": "Enter the city, or choose another type.",
    "postal_expression": "Enter the postal codes, or choose another type.",
}
"""What to do about a field that the type of the place needs."""

_EXAMPLES = 'Such as {"prefix": "10"}, {"from": "75000", "to": "75999"}, or {"outward_code": "PA6"} of a British code.'


class GeoZoneForm(SoftDeletionForm):
    """The province can be given by its code or its name."""

    postal_expression = MetadataField(required=False, rows=1, label="Postal codes", help_text=_EXAMPLES)

    class Meta:
        labels = {"province_code": "Province"}
        help_texts = {"province_code": "Its name, or its code such as us-ny."}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not self.is_new:
            self.initial["province_code"] = province_to_edit(self.instance.province_code)

    def clean(self) -> dict[str, Any] | None:
        cleaned = super().clean()
        given = self.cleaned_data
        country, text = given.get("country"), given.get("province_code")
        try:
            if country is not None and text:
                given["province_code"] = province(text, country_code=country.pk, field="province_code")
            if not self.errors:
                require_fields(given)
        except FieldRequired as refusal:
            self.add_error(refusal.field, _NEEDED[refusal.field])
        except InvalidData as refusal:
            self.add_refusal("province_code", refusal)
        return cleaned


class GeoZoneInline(PartInline):
    """The places of the zone."""

    model = GeoZone
    verbs = geo_zone_editing.VERBS
    form = GeoZoneForm
    fields = ("type", "country", "province_code", "city", "postal_expression")
    verbose_name = "place"
    verbose_name_plural = "Places"

    def formfield_for_foreignkey(self, db_field: Field[object, object], request: HttpRequest, **kwargs: object) -> Any:
        """The countries are read once for all rows."""
        field = super().formfield_for_foreignkey(db_field, request, **kwargs)
        if db_field.name == "country":
            field.choices = grouped_countries()
        return field

    def formfield_for_dbfield(self, db_field: Field[object, object], request: HttpRequest, **kwargs: object) -> Any:
        field = super().formfield_for_dbfield(db_field, request, **kwargs)
        if db_field.name == "city":
            field.widget = UnfoldAdminTextInputWidget()
        if db_field.name == "type":
            field.widget.attrs["style"] = "min-width: 8rem"
        return field


@admin.register(ServiceZone)
class ServiceZoneAdmin(ShippingAdmin[ServiceZone]):
    """Places with the same shipping options."""

    icon = "map"
    nothing_yet = "A service zone has the countries, or parts of them, that the same shipping options serve."
    made_on = "fulfillment.fulfillmentset"
    verbs = ZONES
    preselected = ("fulfillment_set",)
    menu_rank = -2
    daily = "change"

    list_display = ("name", "fulfillment_set", "updated_at")
    list_filter = ("fulfillment_set", DeletionFilter)
    list_select_related = ("fulfillment_set",)
    search_fields = ("name", "=id")
    search_help_text = "Name or id"
    ordering = ("name",)
    inlines = (GeoZoneInline,)
    fieldsets = ((None, {"fields": ("name", "fulfillment_set", "replaces_wider")}), RECORD)
