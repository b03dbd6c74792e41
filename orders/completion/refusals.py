"""Refreshing a cart that is being completed, and refusals that name what has changed, with the totals before and after.

Why: docs/decisions/orders.md#a-changed-total-is-completed-by-another-call.
"""

from collections.abc import Sequence
from typing import NamedTuple

from carts.errors import LinesOutOfStock
from carts.pricing.locked_cart import LockedCart
from carts.pricing.refreshing import refresh
from kit.reads.plans.rows import json_number
from kit.values.json import JSONObject
from kit.values.money import major, rounded, text
from orders.common.errors import TotalChanged
from orders.completion.cart_payment import amount_due
from orders.completion.changes import Change, ChangeKind, SeenCart, changes
from payments.lifecycle.completion import PaymentProgress, session_for

_MOST_NAMED = 3


class ChangedCart(NamedTuple):
    """A cart, or a draft's, that was refreshed. Amounts in 1/10,000.

    total_before, total: what remained and remains to be paid. progress, amount_due: of its payment, which has followed.
    """

    changes: list[Change]
    total_before: int
    total: int
    currency_code: str
    progress: PaymentProgress
    amount_due: int
    is_draft: bool


def refreshed(cart: LockedCart, before: SeenCart, *, is_told: bool) -> ChangedCart | None:
    """What refreshing the cart has changed; None if nothing.

    is_told: whether the shopper gets to know of a refusal. If not, and the payment no longer covers the total, the
    change must not be kept: raises TotalChanged.
    """
    refresh(cart)
    if cart.context is None or cart.costs is None or cart.costs.cart == cart.context.totals:
        return None
    state = session_for(cart)
    changed = ChangedCart(
        changes(before, cart),
        cart.context.totals.total,
        amount_due(cart),
        cart.row.currency_id,
        state.progress,
        state.amount_due,
        cart.row.is_draft,
    )
    if not is_told and state.progress is not PaymentProgress.SETTLED:
        raise total_changed(changed, state.progress)
    return changed


def total_changed(cart: ChangedCart, progress: PaymentProgress) -> TotalChanged:
    """The refusal. progress: how the payment stands by now."""
    currency, name = cart.currency_code, "draft" if cart.is_draft else "cart"
    before, after = (rounded(major(units), currency) for units in (cart.total_before, cart.total))
    said = f"The amounts of the {name} have changed"
    if before != after:
        said = f"The total of the {name} has changed from {before:,} to {text(after, currency)}"
    if cart.changes:
        said += f": {_listed(cart.changes, currency)}"
    due = text(major(cart.amount_due), currency)
    step = "Review the draft and convert it again" if cart.is_draft else _next_step(progress, due)
    return TotalChanged(
        f"{said}. {step}",
        _details(cart.changes, cart.total_before, cart.total),
    )


def out_of_stock(shortages: Sequence[Change], total: int) -> LinesOutOfStock:
    """The refusal that names lines for which the stock does not suffice. total: of the cart, which stays."""
    return LinesOutOfStock([each.title for each in shortages], _details(shortages, total, total))


def _next_step(progress: PaymentProgress, due: str) -> str:
    match progress:
        case PaymentProgress.NO_SESSION:
            return "Review the cart, pay again and complete it"
        case PaymentProgress.PARTLY_PAID:
            return f"Review the cart, pay the remaining {due} and complete it"
    return "Review the cart and complete it again"


def _listed(changes: Sequence[Change], currency_code: str) -> str:
    said = [_said(each, currency_code) for each in changes[:_MOST_NAMED]]
    more = len(changes) - _MOST_NAMED
    return "; ".join([*said, f"and {more} more"] if more > 0 else said)


def _said(change: Change, currency_code: str) -> str:
    if change.after is None:
        return f"shipping by {change.title} is no longer possible"
    before, after = (f"{rounded(major(units or 0), currency_code):,}" for units in (change.before, change.after))
    ended = f" (promotion {change.code} no longer applies)" if change.code else ""
    return f"{_SUBJECTS[change.kind].format(change.title)} {after} instead of {before}{ended}"


def _details(changes: Sequence[Change], total_before: int, total: int) -> JSONObject:
    return {
        "changes": [_shown(each) for each in changes],
        "total_before": _number(total_before),
        "total": _number(total),
    }


def _shown(change: Change) -> JSONObject:
    show = _as_it_is if change.kind is ChangeKind.STOCK else _number
    return {
        "kind": change.kind.value,
        "id": change.id,
        "title": change.title,
        "before": show(change.before),
        "after": show(change.after),
        "code": change.code,
    }


def _as_it_is(quantity: int | None) -> int | None:
    return quantity


def _number(units: int | None) -> int | float | None:
    return None if units is None else json_number(major(units))


_SUBJECTS = {
    ChangeKind.PRICE: "the price of {} is",
    ChangeKind.PROMOTION: "the discount on {} is",
    ChangeKind.TAX: "the tax on {} is",
    ChangeKind.SHIPPING: "shipping by {} costs",
    ChangeKind.CREDIT: "{} pays",
}
