"""The rules between the columns of a promotion, checked before the database refuses them."""

from datetime import datetime
from decimal import Decimal

from carts.states import PromotionType
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
    if not value:
        return "value", "must have a value above 0"
    if type == PromotionType.PERCENTAGE:
        return _fault_of_percentage(value, currency_id, is_tax_inclusive)
    if currency_id is None:
        return "currency", "is a fixed amount, which needs a currency_code"
    try:
        exact(value, currency_id, field="value")
    except InvalidData as error:
        return "value", f"has an invalid value: {error.message}"
    return None


def _fault_of_percentage(
    value: Decimal, currency_id: str | None, is_tax_inclusive: bool | None
) -> tuple[str, str] | None:
    if currency_id is not None:
        return "currency", "is a percentage, which has no currency"
    if is_tax_inclusive:
        return "is_tax_inclusive", "is a percentage, which includes no tax"
    return ("value", "must not exceed 100 percent") if value > _WHOLE else None


def _fault_of_limits(usage_limit: int | None, per_customer: int | None, used: int) -> tuple[str, str] | None:
    if usage_limit is not None and usage_limit < used:
        return "usage_limit", f"has already been used {used} times"
    if per_customer == 0:
        return "usage_limit_per_customer", "must allow each customer at least one use"
    return None
