"""What gift cards and store credit pay of a cart. They are held and not taken: completion takes them.

A cart's credit lines say which; with every change of the cart those that pay no longer go, and the others pay what is
then due: cards first, with the smallest balance before, and store credit last. Source: behaviour.md 0.23.
"""

from collections.abc import Mapping

from carts import credit_lines
from carts.cart_rows import CreditLineRow
from carts.open_cart import OpenCart
from commerce.kit.projection.keyed_rows import KeyedRows
from giftcards.cards import COLUMNS, Card
from giftcards.models import GiftCard, StoreCreditAccount
from giftcards.states import CardStatus

PAID_BY_CARD, PAID_BY_STORE_CREDIT = "gift-card", "store-credit"
"""The references of credit lines; their reference_id is the card's id, and the account's."""


def follow(cart: OpenCart) -> bool:
    """Let the open cart's credit lines pay what is due now; whether any pays another amount, comes or goes.

    Two statements, none where the cart has no credit line.
    """
    if not cart.credit_lines:
        return bool(cart.removed_credit_lines)
    changed = bool(cart.removed_credit_lines)
    available = _available(cart)
    for line in list(cart.credit_lines):
        if line.id not in available:
            credit_lines.remove(cart, line)
            changed = True
    assert cart.costs is not None  # noqa: S101 - whoever follows finds the cart added up
    due = cart.costs.cart.total + cart.costs.cart.credit_line_total
    for line in sorted(cart.credit_lines, key=lambda line: _rank(line, available)):
        amount = min(available[line.id], due)
        due -= amount
        changed |= line.is_new or line.amount != amount
        line.amount = amount
    return changed


def card_balance(cart: OpenCart, card: Card) -> int | None:
    """What the card can pay of such a cart, in 1/10,000; None where it cannot pay for it at all."""
    if card.currency_code != cart.row.currency_id:
        return None
    if card.status == CardStatus.PENDING and not card.is_expired:
        return card.value if card.customer_id in (None, cart.row.customer_id) else None
    return card.left_of_guest or None if card.status == CardStatus.REDEEMED else None


def _available(cart: OpenCart) -> Mapping[str, int]:
    """What each credit line could pay, by the line's id; those that pay nothing any more are missing."""
    found: dict[str, int] = {}
    cards = {row[0]: Card(*row) for row in _CARDS.read(_ids(cart, PAID_BY_CARD))}
    accounts = {row[0]: row[1:] for row in _ACCOUNTS.read(_ids(cart, PAID_BY_STORE_CREDIT))}
    for line in cart.credit_lines:
        named = line.reference_id
        balance: int | None = None
        if named in cards:
            balance = card_balance(cart, cards[named])
        elif named in accounts:
            balance = _account_balance(cart, *accounts[named])
        if balance is not None:
            most = line.most
            found[line.id] = balance if most is None else min(balance, most)
    return found


def _account_balance(cart: OpenCart, customer_id: str, currency_code: str, credited: int, debited: int) -> int | None:
    is_for = (customer_id, currency_code) == (cart.row.customer_id, cart.row.currency_id)
    return credited - debited or None if is_for else None


def _rank(line: CreditLineRow, available: Mapping[str, int]) -> tuple[bool, int, str]:
    return line.reference != PAID_BY_CARD, available[line.id], line.id


def _ids(cart: OpenCart, reference: str) -> list[str]:
    return [line.reference_id for line in cart.credit_lines if line.reference == reference]


_CARDS = KeyedRows(GiftCard.objects.not_deleted, key="id", columns=COLUMNS, decoded=("expires_at",))
_ACCOUNTS = KeyedRows(
    StoreCreditAccount.objects.not_deleted, key="id", columns=("id", "customer_id", "currency_id", "credits", "debits")
)
