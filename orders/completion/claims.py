"""What completing a cart claims: stock and promotions; credit is claimed in giftcards/spending/holds.py.

All or nothing.
"""

from carts.pricing.line_titles import stored_titles
from carts.pricing.locked_cart import LockedCart
from carts.promotions.offered import OfferedPromotion
from carts.promotions.promotion_usage import Claim, record_usage, release_usage
from catalog.stock.availability import pieces_of
from catalog.stock.errors import StockTooLow
from catalog.stock.stock_claims import LineClaim, claim_stock, release_stock
from orders.completion.cart_payment import amount_due
from orders.completion.changes import Change, ChangeKind
from orders.completion.copies import order_line_id
from orders.completion.refusals import out_of_stock


def claim(cart: LockedCart, *, promotions: list[OfferedPromotion]) -> None:
    """Reserve the stock of all lines for those of the order, and count the promotions' uses.

    Raises LinesOutOfStock, PromotionUsedUp.
    """
    lines = [
        LineClaim(order_line_id(line.id), str(line.variant_id), line.quantity)
        for line in cart.lines
        if not line.is_one_off
    ]
    try:
        claim_stock(lines, cart.row.sales_channel_id)
    except StockTooLow as error:
        raise out_of_stock(_shortages(cart, set(error.line_item_ids)), total=amount_due(cart)) from error
    if promotions and cart.context is not None and cart.context.customer_key is not None:
        claims = {
            each.id: Claim(each.code_id, each.campaign_id, cart.promotion_amounts.get(each.id, 0), cart.row.currency_id)
            for each in promotions
        }
        record_usage(cart.id, [*claims], cart.context.customer_key, claims)


def release(cart: LockedCart) -> None:
    """Release what was claimed for the cart."""
    release_stock([order_line_id(line.id) for line in cart.lines])
    release_usage(cart.id)


def _shortages(cart: LockedCart, order_line_ids: set[str]) -> list[Change]:
    """The quantities of these lines, and how many pieces of their variants there are. Two statements."""
    short = [line for line in cart.lines if order_line_id(line.id) in order_line_ids]
    titles = stored_titles(line.id for line in short)
    pieces = pieces_of(sorted({str(line.variant_id) for line in short}), (cart.row.sales_channel_id,))
    return [
        Change(ChangeKind.STOCK, line.id, titles[line.id], line.quantity, pieces.get(str(line.variant_id), 0))
        for line in short
    ]
