"""The bodies that create and change promotions and campaigns, and what they call the columns."""

from typing import Any

from rest_framework.serializers import ValidationError

from carts.api.admin.serializers import CLASSES
from carts.promotions import campaign_editing, promotion_editing, rule_editing
from carts.states import BudgetType, Comparison, PromotionKind, PromotionStatus, PromotionTarget, RuleKind
from kit.rest.requests.input_fields import (
    CharField,
    ChoiceField,
    DecimalField,
    IntegerField,
    JSONField,
    ListField,
)
from kit.rest.requests.inputs import Input
from kit.rest.requests.row_inputs import row_input
from kit.values.money import currency

_NAMES = {"type": "kind", "limit": "usage_limit", "limit_per_customer": "usage_limit_per_customer"}
_OF_BUDGET = {"type": "budget_type", "limit": "budget_limit", "currency_id": "budget_currency_id"}
_OF_METHOD = (
    *("type", "value", "target_type", "allocation", "max_quantity", "buy_rules_min_quantity", "apply_to_quantity"),
    "description",
)
_LARGEST = 2**31 - 1
_RULES_OF_METHOD = (RuleKind.TARGET_RULES.value, RuleKind.BUY_RULES.value)
CAMPAIGN_NAMES = {
    "budget_type": "budget.type",
    "budget_limit": "budget.limit",
    "budget_currency": "budget.currency_code",
}
PROMOTION_NAMES = {
    **{name: f"application_method.{name}" for name in (*_OF_METHOD, *_RULES_OF_METHOD)},
    "currency": "application_method.currency_code",
    "campaign": "campaign_id",
    **{column: name for name, column in _NAMES.items()},
    **{f"combines_with_{name}": "combines_with" for name in CLASSES},
    **{f"campaign.{column}": f"campaign.{name}" for column, name in CAMPAIGN_NAMES.items()},
}
"""What bodies call columns and lists that have another place in them."""


class TextOrTexts(JSONField):
    """A string, or a list of strings."""

    json_type = "string or array of strings"

    def fits(self, data: Any) -> bool:
        return isinstance(data, str) or (isinstance(data, list) and all(isinstance(one, str) for one in data))


PromotionRuleInput = row_input(
    rule_editing.VERBS,
    "PromotionRuleInput",
    is_new=True,
    promotion_id=None,
    kind=None,
    operator=ChoiceField(choices=Comparison.values),
    values=TextOrTexts(help_text="Alternatives: one of them must match."),
)
PromotionRuleChangesInput = row_input(
    rule_editing.VERBS,
    "PromotionRuleChangesInput",
    is_new=False,
    promotion_id=None,
    kind=None,
    values=TextOrTexts(required=False),
)


class _InCurrency(Input):
    """An object with a currency."""

    currency_code = CharField(required=False, allow_null=True, help_text="ISO 4217, in any letter case.")

    def validate_currency_code(self, value: str | None) -> str | None:
        return None if value is None else currency(value)

    def to_internal_value(self, data: Any) -> Any:
        """The values of the verbs."""
        values = super().to_internal_value(data)
        return {("currency_id" if name == "currency_code" else name): value for name, value in values.items()}


class CampaignBudgetInput(_InCurrency):
    """The budget of a new campaign."""

    type = ChoiceField(choices=BudgetType.values, help_text="Completed carts, or what they save.")
    limit = DecimalField(required=False, allow_null=True)
    attribute = CharField(required=False, allow_null=True, max_length=0, help_text="Must be null.")

    def to_internal_value(self, data: Any) -> Any:
        values = super().to_internal_value(data)
        values.pop("attribute", None)
        return values


class CampaignBudgetChangesInput(Input):
    """Changes to the budget of a campaign."""

    limit = DecimalField(required=False, allow_null=True)


class _WithBudget(Input):
    """A campaign, whose budget is a part of its row."""

    def to_internal_value(self, data: Any) -> Any:
        """The values of the verbs."""
        values = super().to_internal_value(data)
        budget = values.pop("budget", None) or {}
        return {**values, **{_OF_BUDGET[key]: value for key, value in budget.items()}}


_BUDGET: dict[str, None] = dict.fromkeys(_OF_BUDGET.values())


class CampaignInput(_WithBudget, row_input(campaign_editing.VERBS, "New", is_new=True, **_BUDGET)):  # type: ignore[misc]  # made
    """A new campaign."""

    budget = CampaignBudgetInput(required=False, allow_null=True)


class CampaignChangesInput(_WithBudget, row_input(campaign_editing.VERBS, "Changes", is_new=False, **_BUDGET)):  # type: ignore[misc]  # made
    """Changes to a campaign. Omitted fields are not changed."""

    budget = CampaignBudgetChangesInput(required=False)


def _columns(*names: str) -> dict[str, Any]:
    """Arguments of row_input that leave out all columns of a promotion but these."""
    return dict.fromkeys({*promotion_editing.VERBS.columns} - {*names})


class ApplicationMethodInput(
    _InCurrency,
    row_input(promotion_editing.VERBS, "NewMethod", is_new=True, **_columns(*_OF_METHOD)),  # type: ignore[misc]  # made
):
    """What a new promotion takes off, and what off."""

    target_type = ChoiceField(choices=PromotionTarget.values)
    target_rules = PromotionRuleInput(many=True, required=False, help_text="What is discounted.")
    buy_rules = PromotionRuleInput(many=True, required=False, help_text="What has to be bought.")

    def to_internal_value(self, data: Any) -> Any:
        return {"allocation": None, **super().to_internal_value(data)}


class ApplicationMethodChangesInput(
    _InCurrency,
    row_input(promotion_editing.VERBS, "MethodChanges", is_new=False, **_columns(*_OF_METHOD)),  # type: ignore[misc]  # made
):
    """Changes to what a promotion takes off. Omitted fields are not changed."""


class _Flattened(Input):
    """A promotion, whose application method is a part of its row."""

    limit = IntegerField(
        required=False,
        allow_null=True,
        min_value=0,
        max_value=_LARGEST,
        help_text="The number of completed carts that may use it.",
    )
    limit_per_customer = IntegerField(required=False, allow_null=True, min_value=1, max_value=_LARGEST)
    combines_with = ListField(
        required=False,
        child=ChoiceField(choices=CLASSES),
        help_text="The kinds of promotions that it applies together with; empty: it applies alone.",
    )

    def to_internal_value(self, data: Any) -> Any:
        """The values of the verbs."""
        values = super().to_internal_value(data)
        method, kinds = values.pop("application_method", {}), values.pop("combines_with", None)
        flags = {} if kinds is None else {f"combines_with_{name}": name in kinds for name in CLASSES}
        return {**{_NAMES.get(name, name): value for name, value in values.items()}, **method, **flags}


_OF_PROMOTION = _columns(
    *("code", "is_automatic", "status", "is_tax_inclusive", "starts_at", "ends_at", "priority"),
    *("campaign_id", "metadata"),
)


class PromotionInput(_Flattened, row_input(promotion_editing.VERBS, "New", is_new=True, **_OF_PROMOTION)):  # type: ignore[misc]  # made
    """A new promotion: a draft, unless its status says otherwise."""

    type = ChoiceField(choices=PromotionKind.values)
    application_method = ApplicationMethodInput()
    rules = PromotionRuleInput(many=True, required=False, help_text="When it applies.")
    campaign = CampaignInput(required=False, help_text="A new one, in the place of campaign_id.")

    def to_internal_value(self, data: Any) -> Any:
        values = super().to_internal_value(data)
        if "campaign" in values and values.get("campaign_id") is not None:
            raise ValidationError({"campaign": ["Send either 'campaign' or 'campaign_id'"]})
        return {"status": PromotionStatus.DRAFT, **values}


class PromotionChangesInput(_Flattened, row_input(promotion_editing.VERBS, "Changes", is_new=False, **_OF_PROMOTION)):  # type: ignore[misc]  # made
    """Changes to a promotion. Omitted fields are not changed."""

    type = ChoiceField(choices=PromotionKind.values, required=False)
    application_method = ApplicationMethodChangesInput(required=False)
