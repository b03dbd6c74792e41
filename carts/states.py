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


class TaxFallback(TextChoices):
    """Why a cart is taxed with the shop's own rates although its country has a tax provider."""

    NOT_CALLED = "not_called", "shop's own rates (tax provider not called)"
    NO_RESPONSE = "no_response", "shop's own rates (tax provider did not respond)"
    NO_POSTAL_CODE = "no_postal_code", "shop's own rates (the address has no postal code)"
    LIMIT_REACHED = "limit_reached", "shop's own rates (limit of tax provider calls reached)"
