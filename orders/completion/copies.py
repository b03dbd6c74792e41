"""What an order copies of its cart. An id keeps its random part under the order's own prefix: `cali_X`, `ordli_X`."""

from carts.models import (
    Adjustment,
    Cart,
    CartAddress,
    CreditLine,
    LineItem,
    ShippingMethod,
    ShippingMethodAdjustment,
    ShippingMethodTaxLine,
    TaxLine,
)
from carts.pricing.cart_rows import CartRow
from carts.pricing.locked_cart import LockedCart
from kit.writes.row_copies import RowCopy
from orders.models import (
    Order,
    OrderAddress,
    OrderAdjustment,
    OrderCreditLine,
    OrderLineItem,
    OrderShippingMethod,
    OrderShippingMethodAdjustment,
    OrderShippingMethodTaxLine,
    OrderTaxLine,
)
from orders.states import FulfillmentStatus, OrderStatus, PaymentStatus


def order_line_id(cart_line_id: str) -> str:
    """The id that a line of a cart has, or would have, in its order."""
    return "ordli" + cart_line_id.removeprefix("cali")


def copy_parts(cart: LockedCart, order_id: str) -> None:
    """Copy everything that belongs to the cart. One statement for each kind of row that it has."""
    _LINES.run(cart.id, order_id=order_id)
    _TAXES.run(cart.id)
    if any(line.discount_total for line in cart.lines):
        _ADJUSTMENTS.run(cart.id)
    if cart.methods:
        _METHODS.run(cart.id, order_id=order_id)
        _METHOD_TAXES.run(cart.id)
    if any(method.discount_total for method in cart.methods):
        _METHOD_ADJUSTMENTS.run(cart.id)
    if cart.credit_lines:
        _CREDIT_LINES.run(cart.id, order_id=order_id)
    if addresses := _addresses(cart.row):
        _ADDRESSES.run(*addresses)


def copy_cart(
    cart_id: str,
    *,
    order_id: str,
    number: int,
    custom_number: str | None,
    payment_status: PaymentStatus,
    is_tax_exempt: bool,
    tax_number: str | None,
) -> None:
    """Copy the cart itself as the order."""
    _CARTS.run(
        cart_id,
        id=order_id,
        display_id=number,
        custom_display_id=custom_number,
        payment_status=payment_status.value,
        is_tax_exempt=is_tax_exempt,
        tax_number=tax_number,
    )


def _addresses(cart: CartRow) -> list[str]:
    return [address_id for address_id in (cart.shipping_address_id, cart.billing_address_id) if address_id]


_LINES = RowCopy(
    LineItem,
    OrderLineItem,
    by="cart_id",
    named={"placed_total": "total"},
    ids={"id": ("cali", "ordli")},
    given=("order_id",),
    constants={"version": 1, "return_agreed_quantity": 0},
)
_TAXES = RowCopy(
    TaxLine,
    OrderTaxLine,
    by="cart_id",
    through="item",
    ids={"id": ("calitxl", "ordlitxl"), "item_id": ("cali", "ordli")},
)
_ADJUSTMENTS = RowCopy(
    Adjustment,
    OrderAdjustment,
    by="cart_id",
    through="item",
    ids={"id": ("caliadj", "ordliadj"), "item_id": ("cali", "ordli")},
)
_METHODS = RowCopy(
    ShippingMethod,
    OrderShippingMethod,
    by="cart_id",
    ids={"id": ("casm", "ordsm")},
    given=("order_id",),
    constants={"of_return_id": None},
)
_METHOD_TAXES = RowCopy(
    ShippingMethodTaxLine,
    OrderShippingMethodTaxLine,
    by="cart_id",
    through="shipping_method",
    ids={"id": ("casmtxl", "ordsmtxl"), "shipping_method_id": ("casm", "ordsm")},
)
_METHOD_ADJUSTMENTS = RowCopy(
    ShippingMethodAdjustment,
    OrderShippingMethodAdjustment,
    by="cart_id",
    through="shipping_method",
    ids={"id": ("casmadj", "ordsmadj"), "shipping_method_id": ("casm", "ordsm")},
)
_CREDIT_LINES = RowCopy(
    CreditLine,
    OrderCreditLine,
    by="cart_id",
    ids={"id": ("cacl", "ordcl")},
    given=("order_id",),
    constants={"version": 1},
    where="source.amount > 0",
)
_ADDRESSES = RowCopy(
    CartAddress, OrderAddress, by="id", ids={"id": ("caaddr", "ordaddr")}, constants={"customer_id": None}
)
_CARTS = RowCopy(
    Cart,
    Order,
    by="id",
    named={"cart_id": "id", "original_order_total": "total"},
    ids={"shipping_address_id": ("caaddr", "ordaddr"), "billing_address_id": ("caaddr", "ordaddr")},
    given=("id", "display_id", "custom_display_id", "payment_status", "is_tax_exempt", "tax_number"),
    constants={
        "status": OrderStatus.PENDING.value,
        "fulfillment_status": FulfillmentStatus.NOT_FULFILLED.value,
        "fulfillment_count": 0,
        "version": 1,
        **dict.fromkeys(
            (
                *("canceled_at", "left_account_at", "erasure_requested_at", "erased_at", "original_credit_total"),
                "invoicing",
            )
        ),
        **dict.fromkeys(("paid_total", "refunded_total", "credit_refunded_total", "allowance_total"), 0),
        **dict.fromkeys(("requested_return_total", "return_shipping_due", "agreed_return_total"), 0),
    },
)
