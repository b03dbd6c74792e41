"""A cart that is being changed: its row is locked, its parts are loaded."""

from dataclasses import dataclass, field
from operator import attrgetter

from carts.cart_context import CartContext
from carts.cart_rows import (
    CREDIT_LINES,
    LINES,
    SHIPPING_METHODS,
    CartRow,
    CreditLineRow,
    LineRow,
    ShippingMethodRow,
)
from carts.costs import Costs
from carts.errors import CartCompleted, CartNotFound
from carts.models import Cart, CreditLine, LineItem, ShippingMethod
from carts.promotions import CartPromotion
from carts.shippable_lines import Delivery
from commerce.kit.core.actor import Actor
from commerce.kit.core.errors import Conflict
from commerce.kit.core.text import is_storable
from commerce.kit.projection.keyed_rows import KeyedRows


@dataclass(slots=True)
class OpenCart:
    """row: locked. lines: in the order in which they were added. removed_lines: stored lines that are to be deleted.

    methods, removed_methods: the same for shipping methods (carts/shipping_methods.py).
    credit_lines, removed_credit_lines: for gift cards and store credit (carts/credit_lines.py).
    currency_changed: whether amounts that lines remember are in another currency than the cart's.
    context, costs, promotions: once the cart is added up (carts/refreshing.py). promotions: those that it uses.
    delivery: once its shipping methods were repriced; None without any (fulfillment/method_repricing.py).
    """

    row: CartRow
    lines: list[LineRow] = field(default_factory=list)
    removed_lines: list[LineRow] = field(default_factory=list)
    methods: list[ShippingMethodRow] = field(default_factory=list)
    removed_methods: list[ShippingMethodRow] = field(default_factory=list)
    credit_lines: list[CreditLineRow] = field(default_factory=list)
    removed_credit_lines: list[CreditLineRow] = field(default_factory=list)
    context: CartContext | None = None
    costs: Costs | None = None
    promotions: list[CartPromotion] | None = None
    delivery: Delivery | None = None
    is_new: bool = False
    currency_changed: bool = False

    @property
    def id(self) -> str:
        return self.row.id


def open_cart(*, actor: Actor, cart_id: str) -> OpenCart:
    """The actor's cart, locked until the transaction ends. Four statements.

    Raises CartNotFound, CartCompleted, and Conflict while the cart is closed (carts/closing.py).
    """
    cart = lock_cart(actor=actor, cart_id=cart_id)
    if cart.completed_at is not None:
        raise CartCompleted(cart_id)
    if cart.closed_at is not None:
        raise Conflict
    return with_parts(cart)


def with_parts(cart: CartRow) -> OpenCart:
    """The locked cart with its parts. Three statements."""
    return OpenCart(
        cart,
        sorted(_LINES.read([cart.id]), key=_by_id),
        methods=sorted(_METHODS.read([cart.id]), key=_by_id),
        credit_lines=sorted(_CREDIT_LINES.read([cart.id]), key=_by_id),
    )


def lock_cart(*, actor: Actor, cart_id: str) -> CartRow:
    """The actor's cart, also a completed or closed one, locked until the transaction ends. Raises CartNotFound."""
    rows = _locked(actor, cart_id) if is_storable(cart_id) else []
    if not rows:
        raise CartNotFound(cart_id)
    return rows[0]


def _locked(actor: Actor, cart_id: str) -> list[CartRow]:
    if actor.may("carts.view_cart"):
        return _ALL.read([cart_id])
    if actor.type == "customer" and actor.id is not None:
        return _OF_CUSTOMERS.read([cart_id], actor.id, actor.sales_channel_ids)
    return _OF_GUESTS.read([cart_id], actor.sales_channel_ids)


_by_id = attrgetter("id")
_ALL = KeyedRows(Cart.objects.not_deleted, key="id", row=CartRow, decoded=("metadata",), locked=True)
_OF_GUESTS = KeyedRows(
    lambda channels: Cart.objects.visible_to(Actor("anonymous", None, channels)),
    key="id",
    row=CartRow,
    decoded=("metadata",),
    locked=True,
)
_OF_CUSTOMERS = KeyedRows(
    lambda customer_id, channels: Cart.objects.visible_to(Actor("customer", customer_id, channels)),
    key="id",
    row=CartRow,
    decoded=("metadata",),
    locked=True,
)
_LINES = KeyedRows(
    LineItem.objects.not_deleted, key="cart_id", row=LINES.load, columns=LINES.paths, decoded=("metadata",)
)
_METHODS = KeyedRows(
    ShippingMethod.objects.not_deleted,
    key="cart_id",
    row=SHIPPING_METHODS.load,
    columns=SHIPPING_METHODS.paths,
    decoded=("data",),
)
_CREDIT_LINES = KeyedRows(
    CreditLine.objects.not_deleted, key="cart_id", row=CREDIT_LINES.load, columns=CREDIT_LINES.paths
)
