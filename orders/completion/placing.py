"""Making the order of a checked and claimed cart, in the transaction that settles its payment."""

from carts.checkout.closing import complete_cart
from carts.pricing.cart_context import cart_context_of
from carts.pricing.locked_cart import LockedCart
from carts.promotions.offered import OfferedPromotion
from carts.promotions.promotions import applied_promotions
from giftcards.spending.holds import spend_credit
from kit.values.ids import new_secret_id
from kit.writes import raw_rows
from orders.common import events
from orders.common.search.entries import texts_of_cart, write_entry
from orders.completion.copies import copy_cart, copy_parts
from orders.completion.numbers import shown_number, take_number
from orders.invoices.following import CAPTURE, COMPLETION, follow_value, is_first_due
from orders.models import OrderPromotion
from orders.payment.order_payments import follow_payments, payment_state_in, payment_state_of
from orders.states import InvoiceReason
from payments.lifecycle.completion import SessionState, bind_to_order


def used_promotions(cart: LockedCart) -> list[OfferedPromotion]:
    """The promotions that the cart uses, by id. One statement, none if this transaction has refreshed the cart."""
    return applied_promotions(cart.id) if cart.promotions is None else cart.promotions


def place(
    cart: LockedCart,
    *,
    total: int,
    promotions: list[OfferedPromotion],
    state: SessionState | None = None,
    attempt_id: str | None = None,
) -> str:
    """Make the order of the locked cart, whose payment is settled, and complete the cart; returns the order's id.

    total: what payments have to pay, in 1/10,000. state: of the payment, if this transaction has read it.
    attempt_id: of the attempt that holds the cart's credit, if there is one.
    Raises the errors of giftcards.spending.holds.spend_credit.
    """
    order_id = new_secret_id("order")
    copy_parts(cart, order_id)
    _copy_promotions(promotions, order_id)
    spend_credit(order_id=order_id, cart=cart, attempt_id=attempt_id)
    bind_to_order(cart.id, order_id, total, state=state)
    complete_cart(cart.id)
    events.order_placed(order_id)
    known = state.collection if state is not None else None
    payments = payment_state_of(order_id) if known is None else payment_state_in(known)
    searched = texts_of_cart(cart.id)
    tax_number = (cart.context or cart_context_of(cart.id)).tax_number
    # The order's own row comes last: taking its number makes all other orders wait until the commit.
    number = take_number()
    custom_number = shown_number(number)
    copy_cart(
        cart.id,
        order_id=order_id,
        number=number,
        custom_number=custom_number,
        payment_status=payments.status(total),
        is_tax_exempt=cart.is_tax_exempt,
        tax_number=tax_number,
    )
    write_entry(order_id, number, custom_number, searched)
    if payments.captured > payments.returned or not total:
        follow_payments(order_id, reason=InvoiceReason.SALE)
    if is_first_due(COMPLETION) or (not total and is_first_due(CAPTURE)):
        follow_value(order_id, reason=InvoiceReason.SALE)
    return order_id


def _copy_promotions(promotions: list[OfferedPromotion], order_id: str) -> None:
    raw_rows.insert(
        OrderPromotion,
        [_copied(each, order_id) for each in promotions],
    )


def _copied(used: OfferedPromotion, order_id: str) -> raw_rows.RawRow:
    own = used.promotion
    of_kind = {"rules": own.rules, "target_rules": own.target_rules, "buy_rules": own.buy_rules}
    return {
        "order_id": order_id,
        "promotion_id": own.promotion_id,
        "code": used.code,
        "is_automatic": used.is_automatic,
        "kind": own.kind.value,
        "type": own.type.value,
        "target": own.target.value,
        "value": own.value,
        "currency_code": used.currency_code,
        "is_tax_inclusive": own.is_tax_inclusive,
        "allocation": own.allocation.value if own.allocation else None,
        "max_quantity": own.max_quantity,
        "buy_rules_min_quantity": own.buy_rules_min_quantity or None,
        "apply_to_quantity": own.apply_to_quantity or None,
        "priority": own.priority,
        "rules": [
            {"kind": kind, "attribute": rule.attribute, "operator": rule.operator.value, "values": sorted(rule.values)}
            for kind, rules in of_kind.items()
            for rule in rules
        ],
    }
