"""The prices of a shipping option, with the totals of the cart for which each applies."""

from collections.abc import Hashable
from decimal import Decimal
from typing import Any

from django.contrib import admin
from unfold.widgets import UnfoldAdminTextInputWidget

from catalog.admin.prices.amounts import RegionalAmountForm, current_rules, is_regional
from catalog.admin.prices.distinct_prices import Key
from catalog.admin.prices.prices import PriceFormSet, PriceInline
from catalog.models import Price, PriceRule
from catalog.prices.price_editing import RuleKey
from catalog.states import RuleOperator
from fulfillment.options.rule_attributes import ITEM_TOTAL
from kit.admin.forms.amount_fields import AmountField

CONDITIONS = {"from_total": RuleOperator.GREATER_OR_EQUAL, "below_total": RuleOperator.LESS}
"""The operators by which a price's rules compare the total of the cart's items, by field of the form."""


def _condition_of(rule: PriceRule) -> str | None:
    """The field of the form that shows the rule."""
    return next(
        (name for name, how in CONDITIONS.items() if (rule.attribute, rule.operator) == (ITEM_TOTAL, how)), None
    )


def _is_shown(rule: PriceRule) -> bool:
    return is_regional(rule) or _condition_of(rule) is not None


def _conditions(price: Price | None) -> dict[str, Decimal]:
    return {name: Decimal(rule.value) for rule in current_rules(price) if (name := _condition_of(rule))}


class ShippingPriceForm(RegionalAmountForm):
    """The price applies to carts whose items cost at least one total and less than the other; both can be empty."""

    from_total = AmountField(
        label="Items from",
        required=False,
        min_value=0,
        widget=UnfoldAdminTextInputWidget(attrs={"class": "max-w-32"}),
        help_text="For carts whose items cost this much or more, in the currency of the price.",
    )
    below_total = AmountField(
        label="Items below",
        required=False,
        min_value=0,
        widget=UnfoldAdminTextInputWidget(attrs={"class": "max-w-32"}),
        help_text="For carts whose items cost less than this.",
    )

    def __init__(self, *args: object, **kwargs: Any) -> None:
        kwargs["initial"] = {**_conditions(kwargs.get("instance")), **(kwargs.get("initial") or {})}
        super().__init__(*args, **kwargs)

    @property
    def has_other_rules(self) -> bool:
        return not all(map(_is_shown, current_rules(self.instance)))

    @property
    def key(self) -> tuple[Hashable, ...]:
        return (*super().key, *(self.cleaned_data[name] for name in CONDITIONS))

    def clean(self) -> dict[str, object] | None:
        cleaned = super().clean()
        least, limit = (self.cleaned_data.get(name) for name in CONDITIONS)
        if least is not None and limit is not None and least >= limit:
            self.add_error("below_total", 'This must be more than "Items from".')
        return cleaned

    def rules(self) -> dict[RuleKey, str | None]:
        totals = {how: self.cleaned_data[name] for name, how in CONDITIONS.items() if name in self.changed_data}
        changed = super().rules()
        for how, total in totals.items():
            changed[ITEM_TOTAL, how] = None if total is None else str(total)
        return changed


class ShippingPriceFormSet(PriceFormSet):
    """Two prices may differ by their totals alone."""

    repeated = "Another price has this currency, these quantities, totals and this region."

    def key_of(self, price: Price) -> Key:
        conditions = _conditions(price)
        return (*super().key_of(price), *(conditions.get(name) for name in CONDITIONS))

    def is_plain(self, price: Price) -> bool:
        return all(map(_is_shown, current_rules(price)))


class ShippingPriceInline(PriceInline):
    """The prices of a shipping option."""

    form = ShippingPriceForm
    formset = ShippingPriceFormSet
    fields = ("currency", "amount", *CONDITIONS, "region", "min_quantity", "max_quantity", "other_rules")

    @admin.display(description="Other rules")
    def other_rules(self, row: Price) -> str:
        return ", ".join(str(rule) for rule in current_rules(row) if not _is_shown(rule))
