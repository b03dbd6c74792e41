"""The rules between the columns of a promotion, checked before the database refuses them."""

from datetime import datetime
from decimal import Decimal

from carts.states import Allocation, PromotionKind, PromotionTarget, PromotionType
from kit.errors import InvalidData
from kit.values.money import exact

_WHOLE = Decimal(100)


def fault(
    *,
    type: str,
    value: Decimal,
    currency_id: str | None,
    is_tax_inclusive: bool | None,
    starts_at: datetime | None,
    ends_at: datetime | None,
    usage_limit: int | None,
    usage_limit_per_customer: int | None,
    used: int,
) -> tuple[str, str] | None:
    """The invalid column and the problem, as the end of a sentence about the promotion; None if there is none.

    is_tax_inclusive: None where the currency decides.
    """
    if starts_at and ends_at and starts_at >= ends_at:
        return "ends_at", "ends before it starts"
    limit = _fault_of_limits(usage_limit, usage_limit_per_customer, used)
    if limit:
        return limit
    if value <= 0:
        return "value", "must have a value above 0"
    if type == PromotionType.PERCENTAGE:
        return _fault_of_percentage(value, is_tax_inclusive)
    if currency_id is None:
        return "currency", "is a fixed amount, which needs a currency_code"
    try:
        exact(value, currency_id, field="value")
    except InvalidData as error:
        return "value", f"has an invalid value: {error.message}"
    return None


def fault_of_target(
    *,
    kind: str,
    target_type: str,
    allocation: str | None,
    max_quantity: int | None,
    buy_rules_min_quantity: int | None,
    apply_to_quantity: int | None,
) -> tuple[str, str] | None:
    """The same, for what a promotion is taken off, and how."""
    is_order, is_standard = target_type == PromotionTarget.ORDER, kind == PromotionKind.STANDARD
    quantities = {"buy_rules_min_quantity": buy_rules_min_quantity, "apply_to_quantity": apply_to_quantity}
    too_small = max_quantity is not None and max_quantity < (apply_to_quantity or 0)
    return first_of(
        (
            is_order and allocation is not None,
            "allocation",
            f"is off the order as a whole, which is not '{allocation}'",
        ),
        (not is_order and allocation is None, "allocation", "needs an allocation: each, across or once"),
        (is_order and max_quantity is not None, "max_quantity", "is off the order as a whole, without max_quantity"),
        (max_quantity == 0, "max_quantity", "must discount at least one unit"),
        (
            allocation == Allocation.ACROSS and max_quantity is not None,
            "max_quantity",
            "is shared across all lines, and has no max_quantity",
        ),
        (
            allocation == Allocation.ONCE and max_quantity is None,
            "max_quantity",
            "discounts the cheapest units once, and needs their max_quantity",
        ),
        *(
            (is_standard and quantity is not None, name, f"has a {name}, which is only for buy X, get Y")
            for name, quantity in quantities.items()
        ),
        (
            not is_standard and target_type != PromotionTarget.ITEMS,
            "target_type",
            "is buy X, get Y, which is off items",
        ),
        *(
            (not is_standard and not quantity, name, f"is buy X, get Y, which needs a {name} of 1 or more")
            for name, quantity in quantities.items()
        ),
        (too_small, "max_quantity", f"discounts {apply_to_quantity} units at a time, more than its max_quantity"),
    )


def first_of(*checks: tuple[bool, str, str]) -> tuple[str, str] | None:
    """The column and the problem of the first check that finds one."""
    return next(((column, problem) for is_wrong, column, problem in checks if is_wrong), None)


def _fault_of_percentage(value: Decimal, is_tax_inclusive: bool | None) -> tuple[str, str] | None:
    if is_tax_inclusive:
        return "is_tax_inclusive", "is a percentage, which includes no tax"
    if value > _WHOLE:
        return "value", "must not exceed 100 percent"
    return ("value", "has a percentage with more than 4 decimals") if value != round(value, 4) else None


def _fault_of_limits(usage_limit: int | None, per_customer: int | None, used: int) -> tuple[str, str] | None:
    if usage_limit is not None and usage_limit < used:
        return "usage_limit", f"has already been used {used} times"
    if per_customer == 0:
        return "usage_limit_per_customer", "must allow each customer at least one use"
    return None
