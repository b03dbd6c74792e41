"""The choices of carts."""

from django.db.models import TextChoices


class PromotionKind(TextChoices):
    """A discount on what its rules select, or on some of it for what is bought with it: buy X, get Y."""

    STANDARD = "standard"
    BUYGET = "buyget"


class PromotionStatus(TextChoices):
    """Only active promotions apply."""

    DRAFT = "draft"
    ACTIVE = "active"
    INACTIVE = "inactive"


class PromotionType(TextChoices):
    """A percentage, or a fixed amount."""

    PERCENTAGE = "percentage"
    FIXED = "fixed"


class PromotionTarget(TextChoices):
    """What a promotion applies to: items, the order as a whole, or shipping."""

    ITEMS = "items"
    ORDER = "order"
    SHIPPING_METHODS = "shipping_methods"


class Allocation(TextChoices):
    """Each line by itself, one discount shared by all lines, or the cheapest units of all lines."""

    EACH = "each"
    ACROSS = "across"
    ONCE = "once"


class RuleKind(TextChoices):
    """When a promotion applies, what it discounts, and what has to be bought for it."""

    RULES = "rules"
    TARGET_RULES = "target_rules"
    BUY_RULES = "buy_rules"


class Comparison(TextChoices):
    """How a rule compares what it is about with its values."""

    IN = "in", "is one of"
    EQUAL = "eq", "is"
    NOT_EQUAL = "ne", "is not"
    GREATER = "gt", "is above"
    GREATER_OR_EQUAL = "gte", "is at least"
    LESS = "lt", "is below"
    LESS_OR_EQUAL = "lte", "is at most"


class BudgetType(TextChoices):
    """What the budget of a campaign limits: completed carts, or what they save."""

    USAGE = "usage"
    SPEND = "spend"


class SkipReason(TextChoices):
    """Why a promotion whose code a cart has takes nothing off it."""

    MINIMUM_NOT_REACHED = "minimum_not_reached"
    NO_MATCHING_ITEMS = "no_matching_items"
    NO_SHIPPING_METHOD = "no_shipping_method"
    NOT_FOR_CUSTOMER = "not_for_customer"
    NOT_FOR_PLACE = "not_for_place"
    NOT_FIRST_ORDER = "not_first_order"
    NOT_COMBINABLE = "not_combinable"
    BUDGET_EXCEEDED = "budget_exceeded"


class TaxFallback(TextChoices):
    """Why a cart is taxed with the shop's own rates although its country has a tax provider."""

    NOT_CALLED = "not_called", "shop's own rates (tax provider not called)"
    NO_RESPONSE = "no_response", "shop's own rates (tax provider did not respond)"
    NO_POSTAL_CODE = "no_postal_code", "shop's own rates (the address has no postal code)"
    LIMIT_REACHED = "limit_reached", "shop's own rates (limit of tax provider calls reached)"
