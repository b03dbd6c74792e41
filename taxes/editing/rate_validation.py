"""What a rate can be by itself: see docs/decisions/taxes.md."""

Problem = tuple[str, str]
"""The field that is wrong, and why."""


def fault(*, is_default: bool, is_combinable: bool, is_of_province: bool, has_goods: bool) -> Problem | None:
    """What is wrong with a rate; None if nothing is. has_goods: whether it is for certain goods.

    Why: docs/decisions/taxes.md#a-rate-is-the-default-or-for-certain-goods.
    """
    if is_combinable and not is_of_province:
        return "is_combinable", "Field 'is_combinable' is only for rates of provinces"
    if is_default and has_goods:
        return "is_default", "A default rate cannot have products, product types or shipping options"
    if not is_default and not has_goods:
        return "is_default", "A rate needs products, product types or shipping options, unless 'is_default' is true"
    return None
