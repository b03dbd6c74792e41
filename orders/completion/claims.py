"""What completing a cart claims: stock and promotions; credit is claimed in giftcards/spending/holds.py.

All or nothing.
"""

from carts.errors import LinesOutOfStock
from carts.models import LineItem
from carts.pricing.locked_cart import LockedCart
from carts.promotions.promotion_usage import record_usage, release_usage
from catalog import errors as catalog_errors
from catalog.stock.stock_claims import LineClaim, claim_stock, release_stock
from orders.completion.copies import order_line_id
from orders.completion.placing import UsedPromotion


def claim(cart: LockedCart, *, promotions: list[UsedPromotion]) -> None:
    """Reserve the stock of all lines for those of the order, and count the promotions' uses.

    Raises LinesOutOfStock, PromotionUsedUp.
    """
    lines = [LineClaim(order_line_id(line.id), str(line.variant_id), line.quantity) for line in cart.lines]
    try:
        claim_stock(lines, cart.row.sales_channel_id)
    except catalog_errors.StockTooLow as error:
        raise LinesOutOfStock(_titles(cart, set(error.line_item_ids))) from error
    if promotions and cart.context is not None and cart.context.customer_key is not None:
        record_usage(cart.id, [each.id for each in promotions], cart.context.customer_key)


def release(cart: LockedCart) -> None:
    """Release what was claimed for the cart."""
    release_stock([order_line_id(line.id) for line in cart.lines])
    release_usage(cart.id)


def _titles(cart: LockedCart, order_line_ids: set[str]) -> list[str]:
    short = [line.id for line in cart.lines if order_line_id(line.id) in order_line_ids]
    rows = LineItem.objects.filter(pk__in=short).order_by("pk")
    return [
        f"{title} ({variant})" if variant else title for title, variant in rows.values_list("title", "variant_title")
    ]
