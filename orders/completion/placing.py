"""Making the order of a checked and claimed cart, in the transaction that settles its payment."""

from typing import NamedTuple

from carts.checkout.closing import complete_cart
from carts.models import Promotion
from carts.pricing.cart_context import cart_context_of
from carts.pricing.locked_cart import LockedCart
from carts.promotions.promotions import CartPromotion
from giftcards.spending.holds import spend_credit
from kit.reads.sql.keyed_rows import KeyedRows
from kit.values.ids import new_secret_id
from kit.writes import raw_rows
from orders.common import events
from orders.completion.copies import copy_cart, copy_parts
from orders.completion.numbers import shown_number, take_number
from orders.models import OrderPromotion
from orders.payment.order_payments import follow_payments, payment_state_in, payment_state_of
from orders.payment.payment_status import payment_status
from orders.search.entries import texts_of_cart, write_entry
from payments.lifecycle.completion import SessionState, bind_to_order


class UsedPromotion(NamedTuple):
    """A promotion that the cart uses. value: in 1/10,000."""

    id: str
    code: str
    is_automatic: bool
    type: str
    target: str
    value: int
    currency_id: str | None
    is_tax_inclusive: bool


def used_promotions(cart: LockedCart) -> list[UsedPromotion]:
    """The promotions that the cart uses, by id. One statement, none if this transaction has refreshed the cart."""
    if cart.promotions is None:
        return sorted(_PROMOTIONS.read([cart.id]))
    return [_used(each) for each in cart.promotions]


def _used(used: CartPromotion) -> UsedPromotion:
    own = used.promotion
    return UsedPromotion(
        own.promotion_id,
        used.code,
        used.is_automatic,
        own.type.value,
        own.target.value,
        own.value,
        used.currency_code,
        own.is_tax_inclusive,
    )


def place(
    cart: LockedCart,
    *,
    total: int,
    promotions: list[UsedPromotion],
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
        payment_status=payment_status(payments.paid, payments.sessions),
        is_tax_exempt=cart.is_tax_exempt,
        tax_number=tax_number,
    )
    write_entry(order_id, number, custom_number, searched)
    if payments.paid.captured or not payments.paid.due:
        follow_payments(order_id)
    return order_id


def _copy_promotions(promotions: list[UsedPromotion], order_id: str) -> None:
    raw_rows.insert(
        OrderPromotion,
        [
            {
                "order_id": order_id,
                "promotion_id": each.id,
                "code": each.code,
                "is_automatic": bool(each.is_automatic),
                "type": each.type,
                "target": each.target,
                "value": each.value,
                "currency_code": each.currency_id,
                "is_tax_inclusive": bool(each.is_tax_inclusive),
            }
            for each in promotions
        ],
    )


_PROMOTIONS = KeyedRows(Promotion.objects.all, key="carts", row=UsedPromotion)
