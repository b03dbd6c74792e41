"""The choices of carts."""

from django.db.models import TextChoices


class PromotionType(TextChoices):
    """A percentage, or a fixed amount."""

    PERCENTAGE = "percentage"
    FIXED = "fixed"


class PromotionTarget(TextChoices):
    """What a promotion applies to: each item, or the order as a whole."""

    ITEMS = "items"
    ORDER = "order"
