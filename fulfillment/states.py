"""The choices of shipping."""

from collections.abc import Mapping

from django.db.models import TextChoices


class PriceType(TextChoices):
    """A flat option has stored prices; the provider calculates the price of a calculated one."""

    FLAT = "flat"
    CALCULATED = "calculated"


class GeoZoneType(TextChoices):
    """The part of a country that a geo zone covers."""

    COUNTRY = "country"
    PROVINCE = "province"
    CITY = "city"
    ZIP = "zip"


class OptionRuleOperator(TextChoices):
    """How a shipping option's rule compares an attribute with its value."""

    IN = "in"
    NOT_IN = "nin"
    EQUAL = "eq"
    NOT_EQUAL = "ne"
    GREATER = "gt"
    GREATER_OR_EQUAL = "gte"
    LESS = "lt"
    LESS_OR_EQUAL = "lte"


OPERATOR_WORDS: Mapping[str, str] = {
    OptionRuleOperator.IN: "is one of",
    OptionRuleOperator.NOT_IN: "is none of",
    OptionRuleOperator.EQUAL: "is",
    OptionRuleOperator.NOT_EQUAL: "is not",
    OptionRuleOperator.GREATER: "is more than",
    OptionRuleOperator.GREATER_OR_EQUAL: "is at least",
    OptionRuleOperator.LESS: "is less than",
    OptionRuleOperator.LESS_OR_EQUAL: "is at most",
}
"""What stands between an attribute and a value, for people."""
