"""Holding the gift cards and store credit of a cart while its payment is under way, and spending them for its order.

An attempt holds amounts: nobody else can use a held card, or the held part of an account. The order's transaction turns
holds into redemptions and debits, and a failed attempt releases them, so that the ledger shows what happened alone.
Callers hold a transaction and the cart's lock.
Why: docs/decisions/gift-cards.md#attempts-hold-credit-and-orders-spend-it,
docs/decisions/refunds.md#credit-is-debited-for-the-order-not-the-cart.
"""

from collections.abc import Sequence
from dataclasses import replace

from carts.pricing.locked_cart import LockedCart
from customers.models import Customer
from giftcards.cards.cards import lock_cards
from giftcards.cards.redemption import book
from giftcards.ledger import ledger
from giftcards.ledger.ledger import Account
from giftcards.ledger.references import Reference
from giftcards.models import CreditHold
from giftcards.spending.cart_credit import PAID_BY_STORE_CREDIT
from giftcards.spending.locked_credit import Hold, Sources, holds_of, lock_accounts_of, lock_cards_of
from kit.reads.sql.keyed_rows import KeyedRows
from kit.values.ids import new_id
from kit.values.timestamps import now
from kit.writes import raw_rows

ORDER = "order"
"""The kind of payer that an order is."""


def hold_credit(*, attempt_id: str, cart: LockedCart) -> None:
    """Hold what the cart's credit lines take, for a new attempt. At most three statements, none without credit lines.

    Raises CreditUnavailable, which names the card.
    """
    sources = lock_cards_of(cart)
    lock_accounts_of(cart, sources)
    held: list[tuple[str | None, str | None, int]] = [(card.id, None, amount) for card, amount in sources.of_cards]
    held += [(None, account_id, amount) for account_id, amount in sources.of_accounts.items()]
    moment = now()
    rows = [
        {
            "id": new_id("sc_hold"),
            "attempt_id": attempt_id,
            "card_id": card_id,
            "account_id": account_id,
            "amount": amount,
            "created_at": moment,
        }
        for card_id, account_id, amount in held
    ]
    raw_rows.insert(CreditHold, rows)


def release_holds(attempt_id: str) -> None:
    """Release what the attempt holds; does nothing if that is nothing. At most four statements."""
    holds = holds_of(attempt_id)
    lock_cards([hold.card_id for hold in holds if hold.card_id])
    ledger.lock_accounts([hold.account_id for hold in holds if hold.account_id])
    _release(holds)


def spend_credit(*, order_id: str, cart: LockedCart, attempt_id: str | None) -> None:
    """Take what the cart's credit lines say, for the order: each account is debited once, with the order as the payer.

    A pending card is redeemed before: a customer's into their store credit, a guest's into an account of its own, where
    the remainder stays. What the attempt holds is taken, whatever became of the card since.
    Raises CreditUnavailable, which names the card, and AccountFull.
    As many statements for any number of lines: none without credit lines, else at most eleven, one less with store
    credit, and two more for a customer's first account.
    """
    if not any(line.amount for line in cart.credit_lines):
        return
    holds = holds_of(attempt_id)
    sources = lock_cards_of(cart, attempt_id=attempt_id)
    account_id = _account_for_cards(cart) if sources.of_cards else None
    accounts = lock_accounts_of(cart, sources, holds=holds, holder=account_id)
    _release(holds)
    taken = sources.of_accounts.copy()
    redeemed = _redeem(cart, sources, accounts.get(account_id or ""))
    for card, amount in sources.of_cards:
        account = accounts[redeemed[card.id].id] = redeemed[card.id]
        taken[account.id] += amount
    entry = Reference(ORDER, order_id)
    ledger.debit([(accounts[account_id], amount) for account_id, amount in taken.items()], entry=entry)


def _account_for_cards(cart: LockedCart) -> str | None:
    """The id of the store credit that the cart's cards are redeemed into: its customer's, if they can sign in.

    A credit line of store credit names it; `lock_accounts_of` checks that it is the customer's own.
    """
    holder = _account_holder(cart)
    if holder is None:
        return None
    named = (line.reference_id for line in cart.credit_lines if line.reference == PAID_BY_STORE_CREDIT and line.amount)
    return next(named, None) or ledger.account_id_of(holder, cart.row.currency_id)


def _account_holder(cart: LockedCart) -> str | None:
    """The id of the cart's customer, if they have an account to sign in to."""
    if cart.context is not None:
        return cart.context.account_id
    customer_id = cart.row.customer_id
    return customer_id if customer_id is not None and _WITH_ACCOUNT.read([customer_id]) else None


def _redeem(cart: LockedCart, sources: Sources, account: Account | None) -> dict[str, Account]:
    """Redeem the pending cards into the account, else each into one of its own; their accounts afterwards, by card."""
    cards = [card for card, _ in sources.of_cards]
    if account is None:
        own = ledger.open_guest_accounts([card.id for card in cards], cart.row.currency_id)
        book([(card, own[card.id]) for card in cards])
        return {card.id: replace(own[card.id], credits=card.value) for card in cards}
    book([(card, account) for card in cards])
    full = replace(account, credits=account.credits + sum(card.value for card in cards))
    return {card.id: full for card in cards}


def _release(holds: Sequence[Hold]) -> None:
    raw_rows.delete(CreditHold, [hold.id for hold in holds])


_WITH_ACCOUNT = KeyedRows(lambda: Customer.objects.filter(has_account=True), key="id", columns=("id",))
