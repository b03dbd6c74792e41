"""The fields of promotions and campaigns, for staff."""

from rest_framework import serializers

from carts.api.serializers.promotions import TAXED_AMOUNT
from carts.models import Campaign, Promotion, PromotionCode, PromotionRule
from carts.states import (
    Allocation,
    BudgetType,
    Comparison,
    PromotionKind,
    PromotionStatus,
    PromotionTarget,
    PromotionType,
    RuleKind,
)
from kit.reads.declarations.computed import Batch, BatchField, BatchRelation, Embedded, MoneyValue
from kit.reads.declarations.fields import ResourceSerializer, ToMany, ToOne
from kit.reads.declarations.records import DatedSerializer, DeletableSerializer, RecordSerializer
from kit.reads.plans.rows import json_number
from kit.reads.sql.keyed_rows import KeyedRows
from kit.values.json import JSONObject

_PREFIX, _CAMPAIGN = "promo_", "procamp_"
CLASSES = ("product", "order", "shipping")
_SHOWN = ("id", "attribute", "operator", "description")
_RULES = KeyedRows(
    lambda: PromotionRule.objects.not_deleted().order_by("pk"),
    key="promotion_id",
    columns=("promotion_id", "kind", "values", *_SHOWN),
    decoded=("values",),
)


class RuleValueSerializer(ResourceSerializer):
    """A value of a rule."""

    id = serializers.CharField(help_text="The value itself.")
    value = serializers.CharField()


class PromotionRuleSerializer(ResourceSerializer):
    """A condition. All rules of a list must hold; the values of a rule are alternatives."""

    id = serializers.CharField()
    attribute = serializers.CharField()
    operator = serializers.ChoiceField(choices=Comparison.values)
    values = Embedded(lambda: RuleValueSerializer, many=True, along=True)
    description = serializers.CharField(allow_null=True)


def _rules(batch: Batch) -> dict[tuple[object, str], list[JSONObject]]:
    """The rules of the rows, whose first column is their id, by promotion and kind."""
    found: dict[tuple[object, str], list[JSONObject]] = {}
    for promotion, kind, values, *shown in _RULES.read([str(row[0]) for row in batch.rows]):
        rule = dict(zip(_SHOWN, shown, strict=True))
        rule["values"] = [{"id": value, "value": value} for value in values]
        found.setdefault((promotion, kind), []).append(rule)
    return found


def _load_rules(batch: Batch) -> list[list[JSONObject]]:
    rules = _rules(batch)
    return [rules.get((key, RuleKind.RULES), []) for (key,) in batch.rows]


class AdminApplicationMethodSerializer(ResourceSerializer):
    """What a promotion takes off, and what off. It is a part of the promotion, with an id of its own."""

    id = serializers.CharField()
    type = serializers.ChoiceField(choices=PromotionType.values)
    value = MoneyValue(help_text="A percentage, or an amount in currency_code.")
    currency_code = serializers.CharField(allow_null=True, help_text="With one, it applies in this currency only.")
    target_type = serializers.ChoiceField(choices=PromotionTarget.values)
    allocation = serializers.ChoiceField(choices=Allocation.values)
    max_quantity = serializers.IntegerField(allow_null=True)
    buy_rules_min_quantity = serializers.IntegerField(allow_null=True)
    apply_to_quantity = serializers.IntegerField(allow_null=True)
    description = serializers.CharField(allow_null=True)
    target_rules = Embedded(lambda: PromotionRuleSerializer, many=True, along=True)
    buy_rules = Embedded(lambda: PromotionRuleSerializer, many=True, along=True)


_METHOD = (
    *("id", "type", "value", "currency_id", "target_type", "allocation"),
    *("max_quantity", "buy_rules_min_quantity", "apply_to_quantity", "description"),
)


def _load_methods(batch: Batch) -> list[JSONObject]:
    rules, methods = _rules(batch), []
    for key, kind, value, currency, target, allocation, *others in batch.rows:
        methods.append(
            {
                "id": f"proappmet_{str(key).removeprefix(_PREFIX)}",
                "type": kind,
                "value": json_number(value),
                "currency_code": currency,
                "target_type": target,
                "allocation": allocation or Allocation.ACROSS.value,
                **dict(zip(_METHOD[6:], others, strict=True)),
                "target_rules": rules.get((key, RuleKind.TARGET_RULES), []),
                "buy_rules": rules.get((key, RuleKind.BUY_RULES), []),
            }
        )
    return methods


def _load_classes(batch: Batch) -> list[list[str]]:
    return [[name for name, flag in zip(CLASSES, flags, strict=True) if flag] for flags in batch.rows]


class CampaignBudgetSerializer(ResourceSerializer):
    """How much the promotions of a campaign may be used, or save, together."""

    id = serializers.CharField()
    type = serializers.ChoiceField(choices=BudgetType.values, help_text="Completed carts, or what they save.")
    currency_code = serializers.CharField(allow_null=True)
    limit = MoneyValue(allow_null=True)
    used = MoneyValue()
    attribute = serializers.CharField(allow_null=True, help_text="Always null.")


def _load_budgets(batch: Batch) -> list[JSONObject | None]:
    return [
        {
            "id": f"probudg_{str(key).removeprefix(_CAMPAIGN)}",
            "type": kind,
            "currency_code": currency,
            "limit": None if limit is None else json_number(limit),
            "used": json_number(used),
            "attribute": None,
        }
        if kind
        else None
        for key, kind, currency, limit, used in batch.rows
    ]


class CampaignSerializer(RecordSerializer):
    """Promotions that share dates and a budget."""

    id = serializers.CharField()
    name = serializers.CharField()
    description = serializers.CharField(allow_null=True)
    currency = serializers.CharField(source="budget_currency_id", allow_null=True, help_text="That of the budget.")
    campaign_identifier = serializers.CharField()
    starts_at = serializers.DateTimeField(allow_null=True)
    ends_at = serializers.DateTimeField(allow_null=True)
    budget = BatchRelation(
        lambda: CampaignBudgetSerializer,
        columns=("id", "budget_type", "budget_currency_id", "budget_limit", "budget_used"),
        load=_load_budgets,
        along=True,
        allow_null=True,
    )
    promotions = ToMany(lambda: AdminPromotionSerializer, key="campaign_id", inverse="campaign")

    class Meta:
        model = Campaign


class AdminPromotionSerializer(RecordSerializer):
    """A discount: what it takes off, when, for whom, and together with which others."""

    id = serializers.CharField()
    code = serializers.CharField()
    type = serializers.ChoiceField(choices=PromotionKind.values, source="kind")
    status = serializers.ChoiceField(choices=PromotionStatus.values)
    is_automatic = serializers.BooleanField()
    has_codes = serializers.BooleanField(help_text="Whether batches of codes open it, and its own code is only a name.")
    is_tax_inclusive = serializers.BooleanField(help_text=TAXED_AMOUNT)
    starts_at = serializers.DateTimeField(allow_null=True)
    ends_at = serializers.DateTimeField(allow_null=True)
    limit = serializers.IntegerField(source="usage_limit", allow_null=True)
    limit_per_customer = serializers.IntegerField(source="usage_limit_per_customer", allow_null=True)
    used = serializers.IntegerField()
    priority = serializers.IntegerField(help_text="Of promotions that exclude each other, the higher one applies.")
    combines_with = BatchField(
        serializers.ListField(child=serializers.ChoiceField(choices=CLASSES)),
        columns=tuple(f"combines_with_{name}" for name in CLASSES),
        load=_load_classes,
        help_text="The kinds of promotions that it applies together with; empty: it applies alone.",
    )
    campaign_id = serializers.CharField(allow_null=True)
    campaign = ToOne(lambda: CampaignSerializer, key="campaign_id", inverse="promotions", allow_null=True)
    application_method = BatchRelation(
        lambda: AdminApplicationMethodSerializer, columns=_METHOD, load=_load_methods, along=True
    )
    rules = BatchRelation(lambda: PromotionRuleSerializer, columns=("id",), load=_load_rules, many=True, along=True)

    class Meta:
        model = Promotion


class PromotionCodeSerializer(DatedSerializer, DeletableSerializer):
    """A code that customers enter."""

    id = serializers.CharField()
    promotion_id = serializers.CharField()
    code = serializers.CharField()
    usage_limit = serializers.IntegerField(allow_null=True, help_text="Completed carts that may use it.")
    used = serializers.IntegerField(help_text="Completed carts that have used it.")

    class Meta:
        model = PromotionCode
