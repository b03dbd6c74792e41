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


class OwnTaxes(TextChoices):
    """Why the shop's own tax rates stand in for those of the country's tax provider."""

    UNASKED = "unasked", "by the shop's own rates: the tax provider has not been asked"
    SILENT = "silent", "by the shop's own rates: the tax provider did not answer"
    NO_POSTAL_CODE = "no_postal_code", "by the shop's own rates: the address has no postal code"
    LIMIT = "limit", "by the shop's own rates: the tax provider was asked too often within an hour"
