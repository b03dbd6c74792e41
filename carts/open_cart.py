"""A cart that is being changed: its row is locked, its lines are at hand."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from carts.cart_context import CartContext
from carts.costs import Costs
from carts.errors import CartCompleted, CartNotFound
from carts.held_rows import Held, held
from carts.models import Cart, CreditLine, LineItem, ShippingMethod
from carts.models.kept_totals import LINE_TOTALS
from commerce.kit.core.actor import Actor
from commerce.kit.core.text import is_storable
from commerce.kit.projection.keyed_rows import KeyedRows

LINE = (
    *("id", "variant_id", "product_id", "quantity", "metadata", "is_discountable"),
    *("unit_price", "compare_at_unit_price", "is_tax_inclusive"),
    *LINE_TOTALS,
)
"""What can change of a line, and what that depends on."""
VARIANT = ("price_set_id", "manage_inventory", "allow_backorder")
"""What is known of a line's variant, if it still exists."""
CREDIT_LINE = ("id", "reference", "reference_id", "amount", "most")
METHOD = ("id", "shipping_option_id", "name", "amount", "is_tax_inclusive", *LINE_TOTALS)
METHOD_FACTS = ("data",)


@dataclass(slots=True)
class CartRow:
    """The columns of a cart that its changes depend on."""

    id: str
    region_id: str
    sales_channel_id: str
    currency_id: str
    customer_id: str | None
    shipping_address_id: str | None
    billing_address_id: str | None
    metadata: Mapping[str, Any] | None
    payment_collection_id: str | None = None
    completed_at: Any = None


@dataclass(slots=True)
class OpenCart:
    """row: locked. lines: in the order in which they came. removed: lines that are stored and shall go.

    methods, removed_methods: the same of how they are shipped (carts/shipping_methods.py).
    credit_lines, removed_credit_lines: of what pays for them (carts/credit_lines.py).
    currency_changed: whether amounts that lines remember are in another currency than the cart's.
    context, costs: once the cart is added up (carts/refreshing.py).
    """

    row: CartRow
    lines: list[Held] = field(default_factory=list)
    removed: list[Held] = field(default_factory=list)
    methods: list[Held] = field(default_factory=list)
    removed_methods: list[Held] = field(default_factory=list)
    credit_lines: list[Held] = field(default_factory=list)
    removed_credit_lines: list[Held] = field(default_factory=list)
    context: CartContext | None = None
    costs: Costs | None = None
    is_new: bool = False
    currency_changed: bool = False

    @property
    def id(self) -> str:
        return self.row.id


def open_cart(*, actor: Actor, cart_id: str) -> OpenCart:
    """The actor's cart, locked until the transaction ends. Raises CartNotFound, CartCompleted. Four statements."""
    cart = _lock(actor=actor, cart_id=cart_id)
    return OpenCart(
        cart,
        [held(LINE, row, VARIANT) for row in sorted(_LINES.read([cart.id]), key=_by_id)],
        methods=[held(METHOD, row, METHOD_FACTS) for row in sorted(_METHODS.read([cart.id]), key=_by_id)],
        credit_lines=[held(CREDIT_LINE, row) for row in sorted(_CREDIT_LINES.read([cart.id]), key=_by_id)],
    )


def _lock(*, actor: Actor, cart_id: str) -> CartRow:
    rows = _locked(actor, cart_id) if is_storable(cart_id) else []
    if not rows:
        raise CartNotFound(cart_id)
    cart = CartRow(*rows[0])
    if cart.completed_at is not None:
        raise CartCompleted(cart_id)
    return cart


def _locked(actor: Actor, cart_id: str) -> list[tuple[Any, ...]]:
    if actor.may("carts.view_cart"):
        return _ALL.read([cart_id])
    if actor.type == "customer" and actor.id is not None:
        return _OF_CUSTOMERS.read([cart_id], actor.id, actor.sales_channel_ids)
    return _OF_GUESTS.read([cart_id], actor.sales_channel_ids)


def _by_id(row: tuple[Any, ...]) -> Any:
    return row[0]


_CART = tuple(column.name for column in fields(CartRow))
_ALL = KeyedRows(Cart.objects.not_deleted, key="id", columns=_CART, decoded=("metadata",), locked=True)
_OF_GUESTS = KeyedRows(
    lambda channels: Cart.objects.visible_to(Actor("anonymous", None, channels)),
    key="id",
    columns=_CART,
    decoded=("metadata",),
    locked=True,
)
_OF_CUSTOMERS = KeyedRows(
    lambda customer_id, channels: Cart.objects.visible_to(Actor("customer", customer_id, channels)),
    key="id",
    columns=_CART,
    decoded=("metadata",),
    locked=True,
)
_LINES = KeyedRows(
    LineItem.objects.not_deleted,
    key="cart_id",
    columns=(*LINE, *(f"variant__{name}" for name in VARIANT)),
    decoded=("metadata",),
)
_METHODS = KeyedRows(
    ShippingMethod.objects.not_deleted, key="cart_id", columns=(*METHOD, *METHOD_FACTS), decoded=("data",)
)
_CREDIT_LINES = KeyedRows(CreditLine.objects.not_deleted, key="cart_id", columns=CREDIT_LINE)
