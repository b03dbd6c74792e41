"""Shipping's closed sets of words. Source: behaviour.md, section 7."""

from django.db.models import TextChoices


class PriceType(TextChoices):
    """A flat option has prices of its own, a calculated one is priced by its provider."""

    FLAT = "flat"
    CALCULATED = "calculated"


class GeoZoneType(TextChoices):
    """How much of a country a geo zone covers."""

    COUNTRY = "country"
    PROVINCE = "province"
    CITY = "city"
    ZIP = "zip"


class OptionRuleOperator(TextChoices):
    """How a shipping option's rule compares the context with its value."""

    IN = "in"
    NOT_IN = "nin"
    EQUAL = "eq"
    NOT_EQUAL = "ne"
    GREATER = "gt"
    GREATER_OR_EQUAL = "gte"
    LESS = "lt"
    LESS_OR_EQUAL = "lte"
