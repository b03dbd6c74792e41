"""Where and for whom a cart is: what its prices and taxes depend on. Source: behaviour.md 0.18, 6.4.1."""

from collections.abc import Mapping
from typing import NamedTuple

from carts.models import Cart
from carts.open_cart import CART_TOTALS
from catalog.price_context import PriceContext
from catalog.price_parameters import Given
from catalog.price_rules import REGION, Attribute
from commerce.core.actor import Actor
from commerce.core.errors import InvalidData
from commerce.core.text import is_storable
from commerce.projection.keyed_rows import KeyedRows
from commerce.shop.tax_rates import rate_of_place


class Tax(NamedTuple):
    """What is owed where the cart goes. rate: in 1/10,000 percent, above 0. tax_rate_id: None for the region's own."""

    rate: int
    code: str
    tax_rate_id: str | None


class Circumstances(NamedTuple):
    """context: what its prices depend on, quantities apart. tax: None where none is owed. totals: as they are kept."""

    context: PriceContext
    tax: Tax | None
    totals: Mapping[str, int]


def circumstances_of(cart_id: str) -> Circumstances:
    """Those of a stored cart: the taxes of its shipping address, of its region where it has none. Two statements."""
    rows = _CARTS.read([cart_id])
    region_id, rate, is_inclusive, currency_code, is_currency_inclusive, country, province, customer_id = rows[0][:8]
    tax = _tax(region_id, rate, country, province)
    known: dict[str, Attribute | None] = {
        REGION: region_id,
        "currency_code": currency_code,
        "country_code": country,
        "province": province,
        "customer.id": customer_id,
        "customer.groups.id": tuple(
            group for *_, group, deleted_at in rows if group is not None and deleted_at is None
        ),
    }
    context = PriceContext(
        currency_code,
        {name: value for name, value in known.items() if value},
        None,
        tax.rate,
        bool(is_inclusive),
        bool(is_currency_inclusive),
    )
    totals = dict(zip(CART_TOTALS, rows[0][8:-2], strict=True))
    return Circumstances(context, tax if tax.rate else None, totals)


def price_context_of(given: Given, actor: Actor) -> PriceContext:
    """The context of the cart that `cart_id` names. Raises InvalidData where the actor may not see it."""
    cart_id = given["cart_id"]
    if not (is_storable(cart_id) and Cart.objects.visible_to(actor).filter(pk=cart_id).exists()):
        raise InvalidData(f"Cart with id '{cart_id}' of field 'cart_id' was not found")
    return circumstances_of(cart_id).context


_CARTS = KeyedRows(
    Cart.objects.all,
    key="id",
    columns=(
        "region_id",
        "region__tax_rate",
        "region__is_tax_inclusive",
        "currency_id",
        "currency__is_tax_inclusive",
        "shipping_address__country_code",
        "shipping_address__province",
        "customer_id",
        *CART_TOTALS,
        *("customer__groups__id", "customer__groups__deleted_at"),
    ),
)


def _tax(region_id: str, region_rate: int, country: str | None, province: str | None) -> Tax:
    own = rate_of_place(region_id, country, province) if country else None
    if own is None:
        return Tax(region_rate, "region", None)
    return Tax(own.rate, own.province or str(country), own.id)
