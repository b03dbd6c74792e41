"""The screens of price lists."""

from typing import Any

from django.contrib import admin
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest

from catalog.admin.price_lists.listed_prices import ListedPriceInline
from catalog.admin.price_lists.price_list_form import REDUCTION, PriceListForm
from catalog.admin.prices.rule_attribute import RuleAttribute, RuleAttributeForm
from catalog.admin.prices.rule_values import RULE_VALUES_URL, RuleValues
from catalog.models import PriceList, PriceListRule
from catalog.prices import price_list_rule_editing, price_reduction
from catalog.prices.price_list_editing import VERBS
from catalog.products import statuses
from catalog.rule_attributes import OF_BUYERS
from catalog.states import PriceListStatus
from kit.admin.actions.bulk_action import bulk_action
from kit.admin.forms.record_section import record_section
from kit.admin.inlines.part_inline import PartInline
from kit.admin.lists.deletion_filter import DeletionFilter
from kit.admin.lists.label_column import label_column
from kit.admin.request_actor import request_actor
from kit.admin.screens.soft_deletion_admin import SoftDeletionAdmin
from kit.admin.sections import Section


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
            "Reduced prices",
            {
                "fields": (REDUCTION,),
                "description": "When you save, the products' current prices are added to the list, reduced and "
                "rounded. You can then change individual prices in the table below.",
            },
        ),
        record_section("id", "created_at", "updated_at", "deleted_at"),
    )

    def get_fieldsets(self, request: HttpRequest, obj: PriceList | None = None) -> Any:
        """Users who may only view the list cannot reduce prices."""
        shown = super().get_fieldsets(request, obj)
        is_editable = obj is None or self.has_change_permission(request, obj)
        return [one for one in shown if is_editable or one[1]["fields"] != (REDUCTION,)]

    def get_queryset(self, request: HttpRequest) -> QuerySet[PriceList]:
        rows: QuerySet[PriceList] = super().get_queryset(request)
        return rows.annotate(price_count=Count("prices", filter=Q(prices__deleted_at=None)))

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        super().save_related(request, form, formsets, change)
        given = form.cleaned_data
        if percent := given.get("reduce_by"):
            products = [product.pk for product in given["products"]]
            count = price_reduction.reduce(
                actor=request_actor(request), price_list_id=form.instance.pk, product_ids=products, percent=percent
            )
            self.message_user(request, f"{count} price{'s' if count > 1 else ''} reduced by {percent.normalize():f}%.")

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
