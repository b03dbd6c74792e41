"""The form of promotions: one for all four kinds. carts/static/carts/promotion.css shows the fields of the kind."""

from dataclasses import replace
from typing import Any, ClassVar

from django import forms
from unfold.widgets import UnfoldAdminRadioSelectWidget, UnfoldAdminSelectWidget

from carts.admin.promotions.offers import COLUMNS, TAKEN_BY, OfferKind, kind_of
from carts.admin.promotions.rule_fields import RULE_FIELDS
from carts.admin.promotions.rule_form import RuleForm
from carts.models import Promotion
from carts.promotions.stated_tax import currencies_and_regions_that_differ
from carts.rule_attributes import AMOUNTS
from carts.states import Allocation, PromotionType, RuleKind
from catalog.prices import price_context
from kit.admin.forms.amount_fields import AmountField
from kit.editing.states import State
from kit.values.typed_amounts import PERCENT, Scale, without_mark
from shop.admin.currency_choices import put_shop_currencies_first
from shop.models import Currency

_TAX = [("", "As its currency"), (True, "Yes"), (False, "No")]
_ALLOCATIONS = [
    ("", "Each line by itself"),
    (Allocation.ACROSS.value, "One discount, shared by all lines"),
    (Allocation.ONCE.value, "The cheapest units only"),
]


class PromotionValue(AmountField):
    """A percentage, or an amount in the promotion's currency."""

    def scale(self) -> Scale:
        return PERCENT if self._is_percentage() else super().scale()

    def bare(self, text: str) -> str:
        return without_mark(text, ("%",)) if self._is_percentage() else super().bare(text)

    def _is_percentage(self) -> bool:
        return bool(self._bound.form["type"].value() == PromotionType.PERCENTAGE)


class PromotionForm(RuleForm):
    """The verbs check all but what a kind does not take."""

    offer = forms.ChoiceField(label="Kind", choices=OfferKind.choices, widget=UnfoldAdminRadioSelectWidget)
    allocation = forms.ChoiceField(
        label="Takes it off", required=False, choices=_ALLOCATIONS, widget=UnfoldAdminSelectWidget
    )
    is_tax_inclusive = forms.TypedChoiceField(
        label="Amount includes tax",
        required=False,
        empty_value=None,
        choices=_TAX,
        coerce=lambda chosen: str(chosen) == "True",
        widget=UnfoldAdminSelectWidget,
    )

    class Meta:
        field_classes: ClassVar = {"value": PromotionValue}
        labels: ClassVar = {
            "max_quantity": "Discounted units, at most",
            "buy_rules_min_quantity": "Units to buy",
            "apply_to_quantity": "Units discounted for them",
            "usage_limit": "Uses, at most",
            "usage_limit_per_customer": "Uses per customer, at most",
            "combines_with_product": "Discounts on products",
            "combines_with_order": "Discounts on the order",
            "combines_with_shipping": "Shipping discounts",
        }
        help_texts: ClassVar = {
            "code": "Customers enter it, unless the promotion is automatic; then it is only a name.",
            "is_automatic": "Applies without the code.",
            "status": "Only active promotions apply.",
            "max_quantity": "Of each line, or of the cart if only the cheapest are discounted, or with Buy X get Y.",
            "priority": "Of promotions that do not go together, the one with the higher number applies.",
            "campaign": "Its dates and budget apply, too.",
        }

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        if "currency" in self.fields:  # users who may only view it have no fields
            self.show_rules()
            for name, kinds in TAKEN_BY.items():
                self.fields[name].widget.attrs["data-offers"] = " ".join(kinds)
            self._say_terms()

    def _say_terms(self) -> None:
        put_shop_currencies_first(self.fields["currency"], stored=self.instance.currency_id)
        default = price_context.of_store()
        self._default_currency = default.currency_code if default else None
        default_words = f", or {default.currency_code.upper()} for an amount" if default else ""
        self.fields["currency"].help_text = f"With one, it applies in that currency only. Empty: all{default_words}."
        differences = (f"{difference}." for difference in currencies_and_regions_that_differ().values())
        self.fields["is_tax_inclusive"].help_text = " ".join(["Only for a fixed amount.", *differences])
        if self.instance.type != PromotionType.FIXED and not self.instance.is_tax_inclusive:
            self.initial["is_tax_inclusive"] = None
        self._allocation = None if self.is_new else self.instance.allocation
        if not self.is_new:
            self.initial["offer"] = kind_of(self.instance)
            is_plain = self._allocation in (None, Allocation.EACH) or self.initial["offer"] == OfferKind.BUYGET
            self.initial["allocation"] = "" if is_plain else self._allocation

    def clean(self) -> dict[str, object] | None:
        cleaned = super().clean()
        given, offer = self.cleaned_data, self.cleaned_data.get("offer")
        for name in given.keys() & TAKEN_BY.keys():
            is_filled = given[name] not in (None, "", []) and not self.fields[name].disabled
            if is_filled and offer and offer not in TAKEN_BY[name]:
                kind = OfferKind(offer).label
                self.add_error(name, f"{kind} does not take this. Empty it, or choose another kind.")
        has_amount = given.get("type") == PromotionType.FIXED or any(
            given.get(name) is not None for name, (_, declared) in RULE_FIELDS.items() if declared.value in AMOUNTS
        )
        if has_amount and not given.get("currency") and "currency" not in self.errors:
            if self._default_currency is None:
                self.add_error("currency", "Choose the currency of the amount.")
            else:
                given["currency"] = Currency.objects.get(pk=self._default_currency)
        return cleaned

    def _get_validation_exclusions(self) -> set[str]:
        """All: the verbs check columns and constraints, and name the field."""
        return {field.name for field in Promotion._meta.get_fields()}

    # --- What the verbs take -----------------------------------------------------------------------------------------

    def state(self, kind: type[State], **others: object) -> State:
        """The form shows whether the amount includes tax, and of what kind it is, so that it always says so."""
        offer, given = self.cleaned_data["offer"], self.cleaned_data
        allocation = None if offer == OfferKind.ORDER else given["allocation"] or Allocation.EACH
        if offer == self.initial.get("offer") == OfferKind.BUYGET and self._allocation:
            allocation = self._allocation  # which means nothing there, but may be a program's
        said: dict[str, Any] = {**COLUMNS[offer], "allocation": allocation}
        said |= {"currency_id": self.instance.currency_id, "is_tax_inclusive": given["is_tax_inclusive"]}
        said |= {each.value: [*self.rules(each)] for each in RuleKind}
        if offer == OfferKind.BUYGET and not said[RuleKind.TARGET_RULES]:
            same = [{key: value for key, value in rule.items() if key != "id"} for rule in said[RuleKind.BUY_RULES]]
            said[RuleKind.TARGET_RULES.value] = same
        return replace(super().state(kind, **others), **said)
