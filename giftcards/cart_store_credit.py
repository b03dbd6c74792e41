"""Paying for a cart with store credit."""

from decimal import Decimal

from django.db import transaction

from carts import credit_lines
from carts.open_cart import OpenCart, open_cart
from carts.refreshing import refresh
from commerce.kit.core.actor import Actor
from giftcards.amounts import checked_amount
from giftcards.cart_credit import PAID_BY_STORE_CREDIT
from giftcards.errors import BalanceTooLow, CartWithoutCustomer, NoAccount, NothingLeft
from giftcards.models import StoreCreditAccount


@transaction.atomic
def put_store_credit(*, actor: Actor, cart_id: str, amount: Decimal | None = None) -> None:
    """Let the customer's store credit pay what it can of the cart, now and after every change of it.

    Nobody but that customer and staff give it: a guest's cart answers to whoever knows its id.
    amount: no more than that, in major units; without it, all there is.
    Raises CartNotFound, CartCompleted, CartWithoutCustomer, NoAccount, NothingLeft, BalanceTooLow, and InvalidData for
    an amount that the currency cannot pay. Source: behaviour.md 6.8.
    """
    cart = open_cart(actor=actor, cart_id=cart_id)
    account = _account(cart, actor)
    most = None if amount is None else checked_amount(amount, cart.row.currency_id)
    if account.balance == 0:
        raise NothingLeft("Store credit account")
    if amount is not None and amount > account.balance:
        raise BalanceTooLow
    credit_lines.upsert(cart, reference=PAID_BY_STORE_CREDIT, reference_id=account.pk, most=most)
    refresh(cart)


@transaction.atomic
def take_store_credit_off(*, actor: Actor, cart_id: str) -> None:
    """Let store credit pay nothing of the cart any more; where it pays nothing, nothing changes.

    Raises CartNotFound, CartCompleted.
    """
    cart = open_cart(actor=actor, cart_id=cart_id)
    for line in [line for line in cart.credit_lines if line.reference == PAID_BY_STORE_CREDIT]:
        credit_lines.remove(cart, line)
    refresh(cart)


def _account(cart: OpenCart, actor: Actor) -> StoreCreditAccount:
    customer_id, currency_code = cart.row.customer_id, cart.row.currency_id
    if customer_id is None or not (customer_id == actor.id or actor.is_trusted):
        raise CartWithoutCustomer
    owned = StoreCreditAccount.objects.not_deleted().filter(customer_id=customer_id, currency_id=currency_code)
    account: StoreCreditAccount | None = owned.first()
    if account is None:
        raise NoAccount(currency_code)
    return account
