"""The catalogue's choices."""

from django.db.models import TextChoices


class ProductStatus(TextChoices):
    """The store shows only published products."""

    DRAFT = "draft"
    PROPOSED = "proposed"
    PUBLISHED = "published"
    REJECTED = "rejected"


class PriceListType(TextChoices):
    """A sale applies if it is lower than the other prices; an override replaces them."""

    SALE = "sale"
    OVERRIDE = "override"


class PriceListStatus(TextChoices):
    """Only the prices of active lists apply."""

    DRAFT = "draft"
    ACTIVE = "active"


class RuleOperator(TextChoices):
    """How a price rule compares the context with its value."""

    EQUAL = "eq"
    GREATER = "gt"
    GREATER_OR_EQUAL = "gte"
    LESS = "lt"
    LESS_OR_EQUAL = "lte"


class MovementReason(TextChoices):
    """Why stock changed. `opening` is the stock that a level had before movements were recorded."""

    OPENING = "opening"
    SET = "set"
    ADJUSTMENT = "adjustment"
    IMPORT = "import"
    FULFILLMENT = "fulfillment"
    FULFILLMENT_CANCELED = "fulfillment_canceled"
    RETURN = "return"
