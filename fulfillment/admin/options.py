"""The screens of shipping options, with their prices and rules."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models import Field
from django.http import HttpRequest
from unfold.contrib.filters.admin import ChoicesDropdownFilter, RelatedDropdownFilter
from unfold.widgets import UnfoldAdminTextareaWidget, UnfoldAdminTextInputWidget

from catalog.admin.prices.rule_attribute import RuleAttribute, RuleAttributeForm
from catalog.admin.prices.rule_values import RuleValues
from catalog.rule_attributes import Kind
from fulfillment.admin.shipping_admin import RECORD, ShippingAdmin
from fulfillment.admin.shipping_prices import ShippingPriceInline
from fulfillment.editing import option_rule_editing
from fulfillment.editing.shipping_editing import OPTIONS, TypeTexts
from fulfillment.models import ShippingOption, ShippingOptionRule
from fulfillment.options.rule_attributes import EQUALITY, LISTS, OF_OPTIONS, option_rule_fault
from fulfillment.states import OPERATOR_WORDS
from kit.admin.forms.metadata_field import MetadataField
from kit.admin.forms.soft_deletion_form import SoftDeletionForm
from kit.admin.forms.text_fields import PlainText
from kit.admin.inlines.part_inline import PartInline
from kit.admin.lists.deletion_filter import DeletionFilter
from kit.values.typed_amounts import ANY, NotRead, read

TYPE_FIELDS = ("label", "code", "description")
"""The fields of an option's type; in the form they are type_label and so on."""


class OptionForm(SoftDeletionForm):
    """The option's type, which no other option shares, is part of the form."""

    type_label = forms.CharField(
        required=False,
        label="Label",
        max_length=255,
        widget=UnfoldAdminTextInputWidget,
        help_text="What customers can expect, such as Express.",
    )
    type_code = forms.CharField(required=False, label="Code", max_length=255, widget=UnfoldAdminTextInputWidget)
    type_description = PlainText(
        required=False, label="Description", widget=UnfoldAdminTextareaWidget(attrs={"rows": 2})
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.type is not None:
            for name in TYPE_FIELDS:
                self.initial[f"type_{name}"] = getattr(self.instance.type, name)

    def clean(self) -> dict[str, Any] | None:
        cleaned = super().clean()
        values = {name: self.cleaned_data.get(f"type_{name}") for name in TYPE_FIELDS}
        for name in ("label", "code"):
            if any(values.values()) and not values[name] and f"type_{name}" not in self.errors:
                self.add_error(f"type_{name}", "A type needs a label and a code.")
        return cleaned

    def attributes(self, names: Sequence[str]) -> dict[str, object]:
        """With the type."""
        given = super().attributes(names)
        if any(name.startswith("type_") for name in names):
            texts = {name: self.cleaned_data[f"type_{name}"] for name in TYPE_FIELDS}
            given["type"] = TypeTexts(**texts) if texts["label"] else None
        return given


class RuleForm(RuleAttributeForm):
    """List operators take several values, one per line; the others take one."""

    attribute = RuleAttribute(OF_OPTIONS, help_text="The property of the cart that the rule compares.")
    value = RuleValues(help_text='For "is one of" and "is none of", enter one value per line.')

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        operator: Any = self.fields["operator"]
        operator.choices = [("", "—"), *OPERATOR_WORDS.items()]

    def clean(self) -> dict[str, Any] | None:
        cleaned = super().clean()
        operator, attribute = self.cleaned_data.get("operator"), self.cleaned_data.get("attribute", "")
        lines = self._read(attribute)
        if not lines or not operator:
            return cleaned
        if operator not in LISTS and len(lines) > 1:
            self.add_error("value", ValidationError("This operator takes a single value."))
        elif attribute in OF_OPTIONS and (problem := option_rule_fault(attribute, operator, lines)):
            words = ", ".join(f'"{OPERATOR_WORDS[one]}"' for one in EQUALITY)
            of_operators = f"Choose one of these for this attribute: {words}."
            self.add_error(
                problem[0], ValidationError(of_operators if problem[0] == "operator" else f"It {problem[1]}.")
            )
        else:
            self.cleaned_data["value"] = lines if operator in LISTS else lines[0]
        return cleaned

    def _read(self, attribute: str) -> list[str]:
        """The values; amounts as people type them, except those that the form has shown."""
        lines: list[str] = self.cleaned_data.get("value") or []
        if OF_OPTIONS.get(attribute) is not Kind.NUMBER:
            return lines
        shown: Any = self.fields["value"].to_python(self.initial.get("value"))
        try:
            return [line if line in shown else f"{read(line, ANY):f}" for line in lines]
        except NotRead as reason:
            self.add_error("value", ValidationError(str(reason)))
            return []


class RuleInline(PartInline):
    """The option is available if all its rules match."""

    model = ShippingOptionRule
    verbs = option_rule_editing.VERBS
    form = RuleForm
    fields = ("attribute", "operator", "value")
    verbose_name = "rule"
    verbose_name_plural = "Rules"


@admin.register(ShippingOption)
class ShippingOptionAdmin(ShippingAdmin[ShippingOption]):
    """Shipping options of a service zone."""

    icon = "route"
    nothing_yet = "A shipping option says how goods reach the places of a service zone, and at what price."
    made_on = "fulfillment.servicezone"
    menu_rank = -1
    daily = "change"
    verbs = OPTIONS
    form = OptionForm
    preselected = ("service_zone", "shipping_profile", "provider")

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
    inlines = (ShippingPriceInline, RuleInline)
    fieldsets = (
        (None, {"fields": ("name", "price_type", "service_zone", "shipping_profile", "provider")}),
        ("What customers can expect", {"fields": (("type_label", "type_code"), "type_description")}),
        ("Data for the provider", {"fields": ("data",), "classes": ("collapse",)}),
        RECORD,
    )

    def formfield_for_dbfield(
        self, db_field: Field[object, object], request: HttpRequest, **kwargs: object
    ) -> forms.Field:
        if db_field.name == "data":
            return MetadataField(required=False, help_text="A JSON object for the provider.")
        field: forms.Field = super().formfield_for_dbfield(db_field, request, **kwargs)
        return field
