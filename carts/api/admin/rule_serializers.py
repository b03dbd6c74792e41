"""Rules with their labels, and what rules can compare."""

from typing import Any

from rest_framework import serializers

from carts.api.admin.resources import PROMOTIONS
from carts.api.admin.serializers import PromotionRuleSerializer
from carts.states import Comparison
from kit.reads.declarations.computed import Embedded
from kit.rest.responses.answers import DeletedRowsSerializer


class _OptionSerializer(serializers.Serializer[Any]):
    """A value with its label."""

    value = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]  # DRF's own word too


class _OperatorSerializer(_OptionSerializer):
    """A way to compare."""

    id = serializers.CharField()


class RuleAttributeSerializer(_OptionSerializer):
    """What rules can compare. disguised: it is a member of the promotion, which shows it among its rules."""

    id = serializers.CharField()
    field_type = serializers.CharField()
    required = serializers.BooleanField()  # type: ignore[assignment]  # DRF's own word too
    disguised = serializers.BooleanField()
    operators = _OperatorSerializer(many=True)


class RuleAttributesSerializer(serializers.Serializer[Any]):
    """What rules of a kind can compare."""

    attributes = RuleAttributeSerializer(many=True)


class RuleValuesSerializer(serializers.Serializer[Any]):
    """A page of the values that a rule can have."""

    values = _OptionSerializer(many=True)
    count = serializers.IntegerField()
    offset = serializers.IntegerField()
    limit = serializers.IntegerField()


class LabeledRuleSerializer(serializers.Serializer[Any]):
    """A rule with its labels. One that is disguised has no id: it is a member of the promotion."""

    id = serializers.CharField(allow_null=True)
    attribute = serializers.CharField()
    attribute_label = serializers.CharField()
    operator = serializers.ChoiceField(choices=Comparison.values)
    operator_label = serializers.CharField()
    field_type = serializers.CharField()
    description = serializers.CharField(allow_null=True)
    required = serializers.BooleanField()  # type: ignore[assignment]  # DRF's own word too
    disguised = serializers.BooleanField()
    values = _OptionSerializer(many=True)


class LabeledRulesSerializer(serializers.Serializer[Any]):
    """The rules of one kind."""

    rules = LabeledRuleSerializer(many=True)


class PromotionRuleBatchSerializer(serializers.Serializer[Any]):
    """The rules that a batch has created and changed, the ids of the deleted ones, and the promotion."""

    created = Embedded(lambda: PromotionRuleSerializer, many=True)
    updated = Embedded(lambda: PromotionRuleSerializer, many=True)
    deleted = DeletedRowsSerializer()
    promotion = Embedded(lambda: PROMOTIONS.serializer_class)
