"""The catalogue's closed sets of words. Source: behaviour.md, section 7."""

from django.db.models import TextChoices


class ProductStatus(TextChoices):
    """The store shows published products alone."""

    DRAFT = "draft"
    PROPOSED = "proposed"
    PUBLISHED = "published"
    REJECTED = "rejected"


class PriceListType(TextChoices):
    """A sale undercuts the other prices where it is lower; an override takes their place."""

    SALE = "sale"
    OVERRIDE = "override"


class PriceListStatus(TextChoices):
    """Only an active list has prices."""

    DRAFT = "draft"
    ACTIVE = "active"


class RuleOperator(TextChoices):
    """How a price rule compares the context with its value."""

    EQUAL = "eq"
    GREATER = "gt"
    GREATER_OR_EQUAL = "gte"
    LESS = "lt"
    LESS_OR_EQUAL = "lte"
