"""Where and for whom a cart is: what its prices and taxes depend on. Source: behaviour.md 0.18, 6.4.1."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from carts.destination import Destination
from carts.errors import CartNotFound
from carts.models import Cart
from carts.models.kept_totals import CART_TOTALS
from catalog.price_context import PriceContext
from catalog.price_parameters import Given
from catalog.price_rules import Attribute
from catalog.rule_attributes import COUNTRY, CURRENCY, CUSTOMER, GROUPS, PROVINCE, REGION
from commerce.kit.core.actor import Actor
from commerce.kit.core.database import Row
from commerce.kit.core.errors import InvalidData
from commerce.kit.core.missing_row import missing
from commerce.kit.core.text import is_storable
from commerce.kit.projection.keyed_rows import KeyedRows
from commerce.shop.tax_rates import rate_of_place


class Tax(NamedTuple):
    """What is owed where the cart goes. rate: in 1/10,000 percent, above 0. tax_rate_id: None for the region's own."""

    rate: int
    code: str
    tax_rate_id: str | None


class CartContext(NamedTuple):
    """Of a stored cart.

    context: what its prices depend on, quantities apart. tax: None where none is owed. totals: as they are kept.
    account_id: the customer with an account whose cart it is; None for a guest's.
    """

    cart_id: str
    context: PriceContext
    tax: Tax | None
    totals: Mapping[str, int]
    destination: Destination
    sales_channel_id: str
    account_id: str | None


def cart_context_of(cart_id: str) -> CartContext:
    """Those of a stored cart: the taxes of its shipping address, of its region where it has none. Two statements."""
    return _understood(_CARTS.read([cart_id]))


def cart_context_known_to(actor: Actor, cart_id: str) -> CartContext:
    """The same, for whoever knows the cart's id within the caller's channels, and has not signed in as somebody else.

    Raises CartNotFound. Source: behaviour.md 0.26.
    """
    rows = _LIVING.read([cart_id]) if is_storable(cart_id) else []
    row = dict(zip(_COLUMNS, rows[0], strict=True)) if rows else {}
    if not row:
        raise CartNotFound(cart_id)
    owner_id = row["customer_id"] if row["customer__has_account"] else None
    demand_known(actor, cart_id, sales_channel_id=row["sales_channel_id"], owner_id=owner_id)
    return _understood(rows)


def demand_known(actor: Actor, cart_id: str, *, sales_channel_id: str, owner_id: str | None) -> None:
    """Raise CartNotFound for a caller in other channels, and for one who has signed in as another than the owner.

    owner_id: the customer with an account whose cart it is.
    """
    if sales_channel_id not in actor.sales_channel_ids or (
        actor.type == "customer" and owner_id not in (None, actor.id)
    ):
        raise CartNotFound(cart_id)


def _understood(rows: Sequence[Row]) -> CartContext:
    """One row for each of the customer's groups, and one without any."""
    row = dict(zip(_COLUMNS, rows[0], strict=True))
    country, province = row["shipping_address__country_code"], row["shipping_address__province"]
    tax = _tax(row["region_id"], row["region__tax_rate"], country, province)
    known: dict[str, Attribute | None] = {
        REGION: row["region_id"],
        CURRENCY: row["currency_id"],
        COUNTRY: country,
        PROVINCE: province,
        CUSTOMER: row["customer_id"],
        GROUPS: tuple(group for *_, group, deleted_at in rows if group is not None and deleted_at is None),
    }
    context = PriceContext(
        row["currency_id"],
        {name: value for name, value in known.items() if value},
        None,
        tax.rate,
        bool(row["region__is_tax_inclusive"]),
        bool(row["currency__is_tax_inclusive"]),
    )
    return CartContext(
        row["id"],
        context,
        tax if tax.rate else None,
        {name: row[name] for name in CART_TOTALS},
        Destination(country, province, row["shipping_address__city"], row["shipping_address__postal_code"]),
        row["sales_channel_id"],
        row["customer_id"] if row["customer__has_account"] else None,
    )


def price_context_of(given: Given, actor: Actor) -> PriceContext:
    """The context of the cart that `cart_id` names. Raises InvalidData where the actor may not see it."""
    cart_id = given["cart_id"]
    if not (is_storable(cart_id) and Cart.objects.visible_to(actor).filter(pk=cart_id).exists()):
        raise InvalidData(missing("Cart", cart_id, field="cart_id"))
    return cart_context_of(cart_id).context


_COLUMNS = (
    "id",
    *("region_id", "region__tax_rate", "region__is_tax_inclusive"),
    *("currency_id", "currency__is_tax_inclusive"),
    *("shipping_address__country_code", "shipping_address__province"),
    *("shipping_address__city", "shipping_address__postal_code"),
    *("sales_channel_id", "customer_id", "customer__has_account"),
    *CART_TOTALS,
    *("customer__groups__id", "customer__groups__deleted_at"),
)
_CARTS = KeyedRows(Cart.objects.all, key="id", columns=_COLUMNS)
_LIVING = KeyedRows(Cart.objects.not_deleted, key="id", columns=_COLUMNS)


def _tax(region_id: str, region_rate: int, country: str | None, province: str | None) -> Tax:
    own = rate_of_place(region_id, country, province) if country else None
    if own is None:
        return Tax(region_rate, "region", None)
    return Tax(own.rate, own.province or str(country), own.id)
