"""The screens of price lists."""

from typing import Any

from django.contrib import admin
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest

from catalog.admin.price_lists.listed_prices import ListedPriceInline
from catalog.admin.price_lists.price_list_form import ENDED, PriceListForm
from catalog.admin.price_lists.reducing import REPEAT, reduce_prices
from catalog.admin.prices.rule_attribute import RuleAttribute, RuleAttributeForm
from catalog.admin.prices.rule_values import RULE_VALUES_URL, RuleValues
from catalog.models import PriceList, PriceListRule
from catalog.prices import price_list_rule_editing
from catalog.prices.price_list_editing import VERBS
from catalog.prices.reductions.reduction import replace_reductions
from catalog.products import statuses
from catalog.rule_attributes import OF_BUYERS
from catalog.states import PriceListStatus
from kit.admin.actions.bulk_action import bulk_action
from kit.admin.actions.spreadsheet_buttons import spreadsheet_buttons
from kit.admin.forms.record_section import record_section
from kit.admin.inlines.part_inline import PartInline
from kit.admin.lists.deletion_filter import DeletionFilter
from kit.admin.lists.label_column import label_column
from kit.admin.request_actor import request_actor
from kit.admin.screens.soft_deletion_admin import SoftDeletionAdmin
from kit.admin.sections import Section

_REDUCED = "Reduced prices"


class RuleForm(RuleAttributeForm):
    """The accepted values of the attribute."""

    attribute = RuleAttribute(OF_BUYERS, help_text="The buyer's attribute that the rule compares.")
    value = RuleValues(label="One of", help_text="One per line.")


class RuleInline(PartInline):
    """The list's prices apply if all its rules hold."""

    model = PriceListRule
    verbs = price_list_rule_editing.VERBS
    form = RuleForm
    fields = ("attribute", "value")
    verbose_name = "rule"
    verbose_name_plural = "Rules"


@admin.register(PriceList)
class PriceListAdmin(SoftDeletionAdmin[PriceList]):
    """Sales and overrides."""

    section = Section.CATALOGUE
    daily = "change"
    icon = "percent"
    nothing_yet = "A price list is a sale, or has prices for some customers or quantities."
    verbs = VERBS
    form = PriceListForm
    custom_urls = (RULE_VALUES_URL,)
    buttons, list_buttons = (REPEAT,), spreadsheet_buttons("prices", has_filters=False, said="prices")
    deletion_note = "Its prices no longer apply. It can be restored."

    list_display = ("title", "type", "state", "starts_at", "ends_at", "prices_in_it")
    list_filter = ("status", "type", DeletionFilter)
    search_fields = ("title", "description", "=id")
    search_help_text = "Title, description or id"
    actions = ("activate_selected", "draft_selected", "delete_selected", "restore_selected")
    inlines = (RuleInline, ListedPriceInline)
    fieldsets = (
        (None, {"fields": ("title", "description", ("type", "status"), "starts_at", "ends_at")}),
        (
            _REDUCED,
            {
                "fields": (("reduce_by", "products"), ("collections", "categories"), ("tags", "types"), ENDED),
                "description": "When you save, the current prices of these products are added to the list, reduced and "
                "rounded, and storefronts show the regular ones struck through. You can then change individual prices "
                "in the table below. Later products and prices do not follow until you <b>repeat reductions</b>. A "
                "promotion, in contrast, follows every price and can have conditions, but shows in the cart only.",
            },
        ),
        record_section("id", "created_at", "updated_at", "deleted_at"),
    )

    def get_fieldsets(self, request: HttpRequest, obj: PriceList | None = None) -> Any:
        """Users who may only view the list cannot reduce prices, and a list without reductions cannot end any."""
        shown = super().get_fieldsets(request, obj)
        if obj is not None and not self.has_change_permission(request, obj):
            return [one for one in shown if one[0] != _REDUCED]
        if obj is not None and obj.reductions:
            return shown
        return [(title, {**one, "fields": [name for name in one["fields"] if name != ENDED]}) for title, one in shown]

    def get_queryset(self, request: HttpRequest) -> QuerySet[PriceList]:
        rows: QuerySet[PriceList] = super().get_queryset(request)
        return rows.annotate(price_count=Count("prices", filter=Q(prices__deleted_at=None)))

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        super().save_related(request, form, formsets, change)
        key, ended, added = form.instance.pk, form.ended, form.reduction
        if ended or added:
            replace_reductions(actor=request_actor(request), price_list_id=key, end=ended, add=added)
        if added:  # first, since it may be refused
            reduce_prices(self, request, key, added)
        if ended:
            reduce_prices(self, request, key)

    @admin.display(description="Prices")
    def prices_in_it(self, row: Any) -> int:
        return int(row.price_count)

    @label_column(description="Status", colours={"active": "success"})
    def state(self, row: PriceList) -> str:
        return row.status

    def activate(self, request: HttpRequest, row: PriceList) -> str | None:
        return self._set_status(request, row, PriceListStatus.ACTIVE)

    def draft(self, request: HttpRequest, row: PriceList) -> str | None:
        return self._set_status(request, row, PriceListStatus.DRAFT)

    def _set_status(self, request: HttpRequest, row: PriceList, status: PriceListStatus) -> str | None:
        return statuses.set_price_list_status(actor=request_actor(request), price_list_id=row.pk, status=status).message

    activate_selected = bulk_action(
        "activate",
        name="activate_selected",
        description="Activate selected price lists",
        question="Activate the selected price lists?",
        participle="activated",
        note="Their prices apply immediately, or from their start.",
        button="Activate",
    )
    draft_selected = bulk_action(
        "draft",
        name="draft_selected",
        description="Move selected price lists to draft",
        question="Move the selected price lists to draft?",
        participle="moved to draft",
        note="Their prices no longer apply.",
        button="Move to draft",
    )
