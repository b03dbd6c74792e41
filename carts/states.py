"""The carts' closed sets of words. Source: behaviour.md, section 7."""

from django.db.models import TextChoices


class PromotionType(TextChoices):
    """A promotion takes a share in percent, or an amount."""

    PERCENTAGE = "percentage"
    FIXED = "fixed"


class PromotionTarget(TextChoices):
    """What a promotion is taken off: each item by itself, or the order as a whole."""

    ITEMS = "items"
    ORDER = "order"
