"""Prices as staff see them: with the rules that say where they apply."""

from collections import defaultdict
from functools import partial
from typing import Any

from rest_framework import serializers

from catalog.models import Price, PriceRule
from catalog.states import RuleOperator
from kit.reads.declarations.computed import Batch, BatchField, ConstantField, MoneyValue, RowField
from kit.reads.declarations.fields import ToMany
from kit.reads.declarations.records import DatedSerializer, DeletableSerializer
from kit.reads.plans.rows import stored_number
from kit.reads.sql.keyed_rows import KeyedRows
from kit.values.json import JSON

_RULES = KeyedRows(PriceRule.objects.not_deleted, key="price_id", columns=("price_id", "attribute", "value"))


def load_rules(rules: KeyedRows[Any], batch: Batch) -> list[dict[str, JSON]]:
    """The values by attribute of the rows of the batch. One statement."""
    found: defaultdict[str, dict[str, JSON]] = defaultdict(dict)
    for key, attribute, value in rules.read([key for (key,) in batch.rows]):
        found[key][attribute] = value
    return [found[key] for (key,) in batch.rows]


def _raw(amount: int) -> str:
    """JSON, with as many digits as the shop keeps."""
    return f'{{"value":"{stored_number(amount)}","precision":20}}'


class PriceRuleSerializer(DatedSerializer, DeletableSerializer):
    """A condition of a price: its region, or the total of the cart."""

    id = serializers.CharField()
    price_id = serializers.CharField()
    attribute = serializers.CharField()
    operator = serializers.ChoiceField(choices=RuleOperator.values)
    value = serializers.CharField()

    class Meta:
        model = PriceRule


class AdminPriceSerializer(DatedSerializer, DeletableSerializer):
    """A price of a variant: an amount for a currency and quantities, which applies where its rules match."""

    id = serializers.CharField()
    title = ConstantField(serializers.CharField(allow_null=True), value=None, help_text="Always null.")
    currency_code = serializers.CharField(source="currency_id")
    amount = MoneyValue()
    raw_amount = RowField(
        serializers.DictField(), columns=("amount",), compute=_raw, help_text="The amount as a string, in `value`."
    )
    min_quantity = serializers.IntegerField(allow_null=True)
    max_quantity = serializers.IntegerField(allow_null=True)
    price_set_id = serializers.CharField()
    rules = BatchField(
        serializers.DictField(),
        columns=("id",),
        load=partial(load_rules, _RULES),
        help_text="Values by attribute, such as `region_id`.",
    )
    price_rules = ToMany(lambda: PriceRuleSerializer, key="price_id", order=("attribute",))

    class Meta:
        model = Price
