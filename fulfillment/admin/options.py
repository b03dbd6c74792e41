"""The screens of shipping options, with their prices and rules."""

from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from unfold.contrib.filters.admin import ChoicesDropdownFilter, RelatedDropdownFilter
from unfold.widgets import UnfoldAdminTextareaWidget, UnfoldAdminTextInputWidget

from catalog.admin.prices import PriceInline
from catalog.admin.rule_attribute import RuleAttribute, RuleAttributeForm
from commerce.kit.admin.deletion_filter import DeletionFilter
from commerce.kit.admin.metadata_field import MetadataField
from commerce.kit.admin.part_inline import PartInline
from commerce.kit.admin.soft_deletion_form import SoftDeletionForm
from commerce.kit.admin.text_fields import Lines, PlainText
from fulfillment.admin.shipping_admin import RECORD, ShippingAdmin
from fulfillment.models import ShippingOption, ShippingOptionRule, ShippingOptionType
from fulfillment.rule_attributes import LISTS, OF_OPTIONS, option_rule_fault

EXPECTATION = ("label", "code", "description")
"""The fields of an option's type; the form calls them type_label and so on."""


class OptionForm(SoftDeletionForm):
    """The option's type, which is its alone, is told in the same form."""

    type_label = forms.CharField(
        required=False,
        label="Label",
        max_length=255,
        widget=UnfoldAdminTextInputWidget,
        help_text="What customers may expect, such as Express.",
    )
    type_code = forms.CharField(required=False, label="Code", max_length=255, widget=UnfoldAdminTextInputWidget)
    type_description = PlainText(
        required=False, label="Description", widget=UnfoldAdminTextareaWidget(attrs={"rows": 2})
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.type is not None:
            for name in EXPECTATION:
                self.initial[f"type_{name}"] = getattr(self.instance.type, name)

    def clean(self) -> dict[str, Any] | None:
        cleaned = super().clean()
        told = {name: self.cleaned_data.get(f"type_{name}") for name in EXPECTATION}
        for name in ("label", "code"):
            if any(told.values()) and not told[name] and f"type_{name}" not in self.errors:
                self.add_error(f"type_{name}", "A type has a label and a code.")
        return cleaned

    def write_row(self) -> None:
        """With its type."""
        told = {name: self.cleaned_data[f"type_{name}"] for name in EXPECTATION}
        before = self.instance.type
        if any(f"type_{name}" in self.changed_data for name in EXPECTATION):
            self.instance.type = self._written_type(told) if told["label"] else None
        super().write_row()
        if self.instance.type != before:
            self.instance.save(update_fields=["type", "updated_at"])
        if before is not None and self.instance.type is None:
            before.delete()

    def _written_type(self, told: dict[str, Any]) -> ShippingOptionType:
        kind: ShippingOptionType = self.instance.type or ShippingOptionType()
        for name, value in told.items():
            setattr(kind, name, value)
        kind.save()
        return kind


class RuleForm(RuleAttributeForm):
    """Operators of lists compare with several texts, one a line; the others with one."""

    attribute = RuleAttribute(OF_OPTIONS, help_text="What the rule compares of the cart.")
    value = Lines(help_text="For in and nin: one per line.")

    def clean(self) -> dict[str, Any] | None:
        cleaned = super().clean()
        lines, operator = self.cleaned_data.get("value"), self.cleaned_data.get("operator")
        attribute = self.cleaned_data.get("attribute", "")
        if not lines or not operator:
            return cleaned
        if operator not in LISTS and len(lines) > 1:
            self.add_error("value", ValidationError("This operator compares with one text."))
        elif attribute in OF_OPTIONS and (problem := option_rule_fault(attribute, operator, lines)):
            self.add_error(problem[0], ValidationError(f"It {problem[1]}."))
        elif operator not in LISTS:
            self.cleaned_data["value"] = lines[0]
        return cleaned

    def write_row(self) -> None:
        """Store a list or a single value, depending on the operator."""
        super().write_row()
        if "operator" in self.changed_data:
            self.instance.save(update_fields=["value", "updated_at"])


class RuleInline(PartInline):
    """The option is offered where all its rules hold."""

    model = ShippingOptionRule
    form = RuleForm
    fields = ("attribute", "operator", "value")
    verbose_name = "rule"
    verbose_name_plural = "Rules"


@admin.register(ShippingOption)
class ShippingOptionAdmin(ShippingAdmin[ShippingOption]):
    """Ways of shipping to a service zone."""

    icon = "route"
    menu_rank = -1
    form = OptionForm

    list_display = ("name", "service_zone", "price_type", "shipping_profile", "provider", "updated_at")
    list_filter = (
        ("service_zone", RelatedDropdownFilter),
        ("shipping_profile", RelatedDropdownFilter),
        ("price_type", ChoicesDropdownFilter),
        DeletionFilter,
    )
    list_filter_submit = True
    list_select_related = ("service_zone", "shipping_profile", "provider")
    search_fields = ("name", "type__label", "=id")
    search_help_text = "Name, label or id"
    ordering = ("service_zone__name", "name", "id")
    inlines = (PriceInline, RuleInline)
    fieldsets = (
        (None, {"fields": ("name", "price_type", "service_zone", "shipping_profile", "provider", "data")}),
        ("What customers may expect", {"fields": (("type_label", "type_code"), "type_description")}),
        RECORD,
    )
    add_fieldsets = (*fieldsets[:2], ("Record", {"fields": ("metadata",), "classes": ("collapse",)}))

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name == "data":
            return MetadataField(required=False, help_text="What the provider wants to know, an object as JSON.")
        return super().formfield_for_dbfield(db_field, request, **kwargs)
