"""The screens of fulfillment sets."""

from django.contrib import admin

from fulfillment.admin.shipping_admin import RECORD, ShippingAdmin
from fulfillment.editing.shipping_editing import SETS
from fulfillment.models import FulfillmentSet
from kit.admin.forms.soft_deletion_form import SoftDeletionForm
from kit.admin.lists.deletion_filter import DeletionFilter


class SetForm(SoftDeletionForm):
    """The location of the goods, and the way of delivery."""

    class Meta:
        help_texts = {
            "type": "For example shipping or pickup.",
            "location": "The stock location that goods are shipped from.",
        }


@admin.register(FulfillmentSet)
class FulfillmentSetAdmin(ShippingAdmin[FulfillmentSet]):
    """Ways of delivery, each from one location, with their service zones."""

    icon = "hub"
    nothing_yet = "A fulfillment set says from which stock location goods are shipped, and to which zones."
    made_on = "shop.stocklocation"
    verbs = SETS
    preselected = ("location",)
    menu_rank = -3
    form = SetForm

    list_display = ("name", "type", "location", "updated_at")
    list_filter = ("type", DeletionFilter)
    list_select_related = ("location",)
    search_fields = ("name", "=id")
    search_help_text = "Name or id"
    ordering = ("name",)
    fieldsets = ((None, {"fields": ("name", "type", "location")}), RECORD)
