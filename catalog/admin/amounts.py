"""What all forms of prices have: an amount of a currency, for some quantities, perhaps in one region."""

from collections.abc import Hashable
from decimal import Decimal
from typing import Any

from unfold.widgets import UnfoldAdminIntegerFieldWidget, UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget

from catalog.errors import QuantitiesCrossed
from catalog.models import Price, PriceRule
from catalog.product_details import checked_amount, refuse_crossed
from catalog.rule_attributes import REGION
from catalog.states import RuleOperator
from commerce.kit.admin.row_choices import RowChoice
from commerce.kit.admin.soft_deletion_form import SoftDeletionForm
from commerce.kit.core.errors import InvalidData
from commerce.kit.core.money import AmountInput, rounded
from commerce.kit.core.soft_deletion import is_stored
from commerce.shop.models import Currency, Region


class CurrencyField(RowChoice):
    """A currency by its code: quicker to type than to find among 180."""

    default_error_messages = {"invalid_choice": "Enter a currency's code, like usd or eur."}

    def __init__(self, **kwargs: Any) -> None:
        attributes = {"placeholder": "usd", "maxlength": 3, "size": 4, "class": "max-w-20"}
        widget = UnfoldAdminTextInputWidget(attrs=attributes)
        super().__init__(Currency.objects.not_deleted(), widget=widget, **kwargs)

    def to_python(self, value: Any) -> Any:
        return super().to_python(value.strip().lower() if isinstance(value, str) else value)


class AmountForm(SoftDeletionForm):
    """The amount is one that the currency can pay, and the quantities leave room for one."""

    currency = CurrencyField()
    amount = AmountInput(widget=UnfoldAdminTextInputWidget(attrs={"inputmode": "decimal", "class": "max-w-32"}))

    class Meta:
        labels = {"min_quantity": "From quantity", "max_quantity": "To quantity"}
        widgets = {
            "min_quantity": UnfoldAdminIntegerFieldWidget(attrs={"style": "max-width: 7rem"}),
            "max_quantity": UnfoldAdminIntegerFieldWidget(attrs={"style": "max-width: 7rem"}),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if isinstance(self.initial.get("amount"), Decimal):
            self.initial["amount"] = rounded(self.initial["amount"], self.instance.currency_id)

    def clean(self) -> dict[str, object] | None:
        cleaned = super().clean()
        given = self.cleaned_data
        try:
            if "amount" in given and "currency" in given:
                code = given["currency"].code
                given["amount"] = rounded(checked_amount(given["amount"], code), code)
        except InvalidData as refusal:
            self.add_refusal("amount", refusal)
        try:
            refuse_crossed(min_quantity=given.get("min_quantity"), max_quantity=given.get("max_quantity"))
        except QuantitiesCrossed as refusal:
            self.add_refusal("max_quantity", refusal)
        return cleaned


class RegionalAmountForm(AmountForm):
    """The region of a price is kept as a rule; its other rules stay as they are.

    named_first: the field at which a price is told that there is one like it.
    """

    named_first = "currency"

    region = RowChoice(
        Region.objects.not_deleted().order_by("name"),
        required=False,
        empty_label="Everywhere",
        widget=UnfoldAdminSelectWidget(attrs={"style": "min-width: 9rem"}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._rule = next((rule for rule in living_rules(kwargs.get("instance")) if is_regional(rule)), None)
        if self._rule is not None:
            kwargs["initial"] = {"region": self._rule.value, **(kwargs.get("initial") or {})}
        super().__init__(*args, **kwargs)

    @property
    def has_other_rules(self) -> bool:
        """Whether more than its region narrows the price."""
        return not all(map(is_regional, living_rules(self.instance)))

    @property
    def key(self) -> tuple[Hashable, ...]:
        """What tells the price, in a valid form, from others of the same thing: currency, quantities, region."""
        given, region = self.cleaned_data, self.cleaned_data["region"]
        return given["currency"].pk, given["min_quantity"], given["max_quantity"], region and region.pk

    def _save_m2m(self) -> None:
        super()._save_m2m()  # type: ignore[misc]
        if "region" in self.changed_data:
            self._put_region(self.cleaned_data["region"])

    def _put_region(self, region: Region | None) -> None:
        rules = PriceRule.objects.filter(price=self.instance, attribute=REGION, operator=RuleOperator.EQUAL)
        rules.delete()
        if region is not None:
            PriceRule.objects.create(
                price=self.instance, attribute=REGION, operator=RuleOperator.EQUAL, value=region.pk
            )


def living_rules(price: Price | None) -> list[PriceRule]:
    """The rules of a stored price, in a fixed order."""
    if price is None or not is_stored(price):
        return []
    return sorted((rule for rule in price.rules.all() if rule.deleted_at is None), key=lambda rule: rule.pk)


def is_regional(rule: PriceRule) -> bool:
    """Whether the rule is how a price's region is kept."""
    return (rule.attribute, rule.operator) == (REGION, RuleOperator.EQUAL)
