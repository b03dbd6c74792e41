"""A cart that is being changed: its row is locked, its parts are loaded."""

from collections.abc import Callable
from dataclasses import dataclass, field
from operator import attrgetter

from django.db.models import Exists, OuterRef, Q, QuerySet

from carts.errors import CartCompleted, CartNotFound
from carts.models import Adjustment, Cart, CreditLine, LineItem, ShippingMethod, ShippingMethodAdjustment
from carts.pricing.cart_context import CartContext
from carts.pricing.cart_rows import (
    CREDIT_LINES,
    LINES,
    SHIPPING_METHODS,
    CartRow,
    CreditLineRow,
    LineRow,
    ShippingMethodRow,
)
from carts.pricing.costs import Costs
from carts.pricing.provided_taxes import NO_PROVIDER, ProvidedTaxes
from carts.pricing.shippable_lines import Delivery
from carts.promotions.offered import OfferedPromotion
from catalog.products.shipping import with_is_shipped
from kit.domain.actor import Actor
from kit.errors import Conflict
from kit.reads.sql.keyed_rows import KeyedRows
from kit.values.text import is_storable


@dataclass(slots=True)
class LockedCart:
    """row: locked. lines: in the order in which they were added. removed_lines: stored lines that are to be deleted.

    methods, removed_methods: the same for shipping methods (carts/checkout/shipping_methods.py).
    credit_lines, removed_credit_lines: for gift cards and store credit (carts/checkout/credit_lines.py).
    currency_changed: whether amounts that lines remember are in another currency than the cart's.
    context, costs, promotions, provided: once the cart is added up (carts/pricing/refreshing.py). promotions: those
        that it uses; promotion_amounts: what each takes off, as stated; skipped_codes: how many codes take nothing.
        provided: what its tax provider says.
    dropped_promotions: the ids of those that a refresh has taken from it.
    delivery: once its shipping methods were repriced; None without any (fulfillment/methods/method_repricing.py).
    needed_shipping: `needs_shipping` when the cart was last refreshed.
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
    provided: ProvidedTaxes = NO_PROVIDER
    promotions: list[OfferedPromotion] | None = None
    promotion_amounts: dict[str, int] = field(default_factory=dict)
    skipped_codes: int = 0
    dropped_promotions: set[str] = field(default_factory=set)
    delivery: Delivery | None = None
    needed_shipping: bool | None = None
    is_new: bool = False
    currency_changed: bool = False

    @property
    def id(self) -> str:
        return self.row.id

    @property
    def needs_shipping(self) -> bool | None:
        """Whether any line needs shipping; None without lines."""
        return any(line.requires_shipping for line in self.lines) if self.lines else None

    @property
    def is_emptied(self) -> bool:
        """Whether its last line has left since it was last refreshed."""
        return not self.lines and self.needed_shipping is not None

    @property
    def is_tax_exempt(self) -> bool:
        """Whether its rows were priced without taxes, and no older version has added them since."""
        rows = (*self.lines, *self.methods)
        return any(row.exempt_rate is not None for row in rows) and not any(row.tax_total for row in rows)


class LockableCarts:
    """The carts that an actor may see, locked until the transaction ends.

    key: the column or ORM path to find them by. where: a condition on what is found.
    """

    def __init__(self, key: str, *, where: Q | None = None) -> None:
        carts = Cart.objects.all() if where is None else Cart.objects.filter(where)
        self._all = _locked(carts.not_deleted, key)
        self._of_guests = _locked(lambda channels: carts.visible_to(Actor("anonymous", None, channels)), key)
        self._of_customers = _locked(
            lambda customer_id, channels: carts.visible_to(Actor("customer", customer_id, channels)), key
        )

    def find(self, actor: Actor, value: str) -> CartRow | None:
        """The cart, also a completed or closed one; None if there is none. One statement."""
        rows = self._cart_rows(actor, value) if is_storable(value) else []
        return rows[0] if rows else None

    def _cart_rows(self, actor: Actor, value: str) -> list[CartRow]:
        if actor.may("carts.view_cart"):
            return self._all.read([value])
        if actor.type == "customer" and actor.id is not None:
            return self._of_customers.read([value], actor.id, actor.sales_channel_ids)
        return self._of_guests.read([value], actor.sales_channel_ids)


def _locked(carts: Callable[..., QuerySet[Cart]], key: str) -> KeyedRows[CartRow]:
    return KeyedRows(carts, key=key, row=CartRow, decoded=("metadata",), locked=True)


def lock_open_cart(*, actor: Actor, cart_id: str) -> LockedCart:
    """The actor's cart, locked until the transaction ends. Four statements.

    Raises CartNotFound, CartCompleted, and Conflict while the cart is closed (carts/checkout/closing.py).
    """
    return open_with_parts(lock_cart(actor=actor, cart_id=cart_id))


def open_with_parts(cart: CartRow) -> LockedCart:
    """A locked cart with its parts, to be changed. Three statements. Raises CartCompleted, Conflict."""
    if cart.completed_at is not None:
        raise CartCompleted(cart.id)
    if cart.closed_at is not None:
        raise Conflict
    return with_parts(cart)


def with_parts(cart: CartRow) -> LockedCart:
    """The locked cart with its parts. Three statements."""
    loaded = LockedCart(
        cart,
        sorted(_LINES.read([cart.id]), key=_by_id),
        methods=sorted(_METHODS.read([cart.id]), key=_by_id),
        credit_lines=sorted(_CREDIT_LINES.read([cart.id]), key=_by_id),
    )
    loaded.needed_shipping = loaded.needs_shipping
    return loaded


def lock_cart(*, actor: Actor, cart_id: str) -> CartRow:
    """The actor's cart, also a completed or closed one, locked until the transaction ends. Raises CartNotFound."""
    cart = _CARTS.find(actor, cart_id)
    if cart is None:
        raise CartNotFound(cart_id)
    return cart


def _lines() -> QuerySet[LineItem]:
    has_adjustments = Exists(Adjustment.objects.filter(item=OuterRef("pk")))
    lines = LineItem.objects.not_deleted().annotate(has_adjustments=has_adjustments)
    return with_is_shipped(lines, variant="variant_id")


def _methods() -> QuerySet[ShippingMethod]:
    has_adjustments = Exists(ShippingMethodAdjustment.objects.filter(shipping_method=OuterRef("pk")))
    methods: QuerySet[ShippingMethod] = ShippingMethod.objects.not_deleted().annotate(has_adjustments=has_adjustments)
    return methods


_by_id = attrgetter("id")
_CARTS = LockableCarts("id")
_LINES = KeyedRows(_lines, key="cart_id", row=LINES.load, columns=LINES.paths, decoded=("metadata",))
_METHODS = KeyedRows(
    _methods,
    key="cart_id",
    row=SHIPPING_METHODS.load,
    columns=SHIPPING_METHODS.paths,
    decoded=("data",),
)
_CREDIT_LINES = KeyedRows(
    CreditLine.objects.not_deleted, key="cart_id", row=CREDIT_LINES.load, columns=CREDIT_LINES.paths
)
