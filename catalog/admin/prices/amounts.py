"""The forms of prices: an amount in a currency, with optional quantities and an optional region."""

from collections.abc import Hashable
from typing import Any

from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget

from catalog.errors import QuantityRangeEmpty
from catalog.models import Price, PriceRule
from catalog.prices.price_editing import RuleKey
from catalog.products.product_details import check_quantity_range, checked_amount
from catalog.rule_attributes import REGION
from catalog.states import RuleOperator
from kit.admin.forms.amount_fields import AmountField
from kit.admin.forms.row_choices import RowChoice, read_once
from kit.admin.forms.soft_deletion_form import SoftDeletionForm
from kit.domain.soft_deletion import is_stored
from kit.editing.states import State
from kit.errors import InvalidData
from kit.values.money import rounded
from shop.admin.currency_choices import keep_offered, read_shop_currencies_once
from shop.models import Currency, Region

_REGIONAL = (REGION, RuleOperator.EQUAL)


class CurrencyField(RowChoice):
    """A currency, by its name. Tables offer those of the shop, and accept all."""

    default_error_messages = {"invalid_choice": "Choose a currency."}

    def __init__(self, **kwargs: Any) -> None:
        widget = UnfoldAdminSelectWidget(attrs={"style": "min-width: 9rem"})
        super().__init__(Currency.objects.not_deleted(), widget=widget, **kwargs)

    def to_python(self, value: Any) -> Any:
        return super().to_python(value.strip().lower() if isinstance(value, str) else value)


class AmountForm(SoftDeletionForm):
    """Checks the amount against its currency, and the quantities against each other."""

    currency = CurrencyField()
    amount = AmountField(widget=UnfoldAdminTextInputWidget(attrs={"class": "max-w-32"}))

    class Meta:
        labels = {"min_quantity": "From quantity", "max_quantity": "To quantity"}
        widgets = {
            "min_quantity": UnfoldAdminTextInputWidget(attrs={"class": "max-w-24"}),
            "max_quantity": UnfoldAdminTextInputWidget(attrs={"class": "max-w-24"}),
        }

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        if "currency" in self.fields and not self.is_new:
            keep_offered(self.fields["currency"], self.instance.currency_id)

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
            check_quantity_range(min_quantity=given.get("min_quantity"), max_quantity=given.get("max_quantity"))
        except QuantityRangeEmpty as refusal:
            self.add_refusal("max_quantity", refusal)
        return cleaned


class RegionalAmountForm(AmountForm):
    """The region of a price is stored as a rule; its other rules do not change.

    error_field: the field that shows the error of a duplicate price.
    """

    error_field = "currency"

    region = RowChoice(
        Region.objects.not_deleted().order_by("name"),
        required=False,
        empty_label="Everywhere",
        widget=UnfoldAdminSelectWidget(attrs={"style": "min-width: 9rem"}),
    )

    def __init__(self, *args: object, **kwargs: Any) -> None:
        self._rule = next((rule for rule in current_rules(kwargs.get("instance")) if is_regional(rule)), None)
        if self._rule is not None:
            kwargs["initial"] = {"region": self._rule.value, **(kwargs.get("initial") or {})}
        super().__init__(*args, **kwargs)

    @property
    def has_other_rules(self) -> bool:
        """Whether the price has rules besides its region."""
        return not all(map(is_regional, current_rules(self.instance)))

    @property
    def key(self) -> tuple[Hashable, ...]:
        """What must be unique among the prices of one thing: currency, quantities, region. For valid forms."""
        given, region = self.cleaned_data, self.cleaned_data["region"]
        return given["currency"].pk, given["min_quantity"], given["max_quantity"], region and region.pk

    def rules(self) -> dict[RuleKey, str | None]:
        """The changed rules, as a PriceState has them."""
        region = self.cleaned_data["region"]
        return {_REGIONAL: region and region.pk} if "region" in self.changed_data else {}

    def state(self, kind: type[State], **others: object) -> State:
        """A new price names its price set, which the formset has found."""
        owner = {"price_set_id": self.instance.price_set_id} if self.is_new else {}
        return super().state(kind, **{**owner, **others, "rules": self.rules()})


def read_choices_once(form: type[RegionalAmountForm]) -> None:
    """Read the regions and currencies once for all rows of a table."""
    read_once(form, "region")
    read_shop_currencies_once(form, "currency")


def current_rules(price: Price | None) -> list[PriceRule]:
    """The rules of a stored price that are not deleted, in a fixed order."""
    if price is None or not is_stored(price):
        return []
    return sorted((rule for rule in price.rules.all() if rule.deleted_at is None), key=lambda rule: rule.pk)


def is_regional(rule: PriceRule) -> bool:
    """Whether the rule stores a price's region."""
    return (rule.attribute, rule.operator) == _REGIONAL
