"""The place and customer that the prices and taxes of a cart depend on."""

from collections.abc import Sequence
from typing import NamedTuple

from carts import rule_attributes
from carts.arithmetic.offers import Facts
from carts.arithmetic.totals import CartTotals
from carts.errors import CartNotFound
from carts.models import Cart, LineItem
from carts.pricing.context_rows import ContextRow, context_rows
from carts.pricing.destination import Destination
from carts.promotions.promotion_usage import customer_key
from catalog.prices.price_context import PriceContext
from catalog.prices.price_parameters import Given
from catalog.prices.price_rules import Attribute
from catalog.rule_attributes import COUNTRY, CURRENCY, CUSTOMER, GROUPS, PROVINCE, REGION
from kit.domain.actor import Actor
from kit.domain.missing_row import missing
from kit.errors import InvalidData
from kit.values.text import is_storable
from shop.taxes import TaxPlace


class CartContext(NamedTuple):
    """The context of a stored cart.

    price_context: what its prices depend on, quantities apart. tax_place: where it is taxed: at the billing address
        if is_taxed_at_billing. totals: as stored.
    account_id: the customer with an account who owns the cart; None for a guest's cart.
    customer_key: what limits per customer count by (carts/promotions/promotion_usage.py); None for a guest without an
        email address. in_open_region: whether its region still exists. tax_number: the customer's.
    has_promotions: whether the cart has any, or an automatic one is open to all carts. has_gates, has_catalogue_rules:
        whether any promotion has gates, or rules about collections, tags or categories.
    """

    cart_id: str
    price_context: PriceContext
    tax_place: TaxPlace
    is_taxed_at_billing: bool
    totals: CartTotals
    destination: Destination
    sales_channel_id: str
    account_id: str | None
    customer_key: str | None
    email: str | None
    in_open_region: bool
    tax_number: str | None
    has_promotions: bool = False
    has_gates: bool = False
    has_catalogue_rules: bool = False

    @property
    def facts(self) -> Facts:
        """What rules of promotions compare. Guests have no id and no group."""
        known = self.price_context.attributes
        attributes = {
            rule_attributes.CHANNEL: self.sales_channel_id,
            rule_attributes.REGION: known.get(REGION),
            rule_attributes.COUNTRY: self.destination.country_code,
            rule_attributes.PROVINCE: self.destination.province,
            rule_attributes.CUSTOMER: self.account_id,
            rule_attributes.GROUPS: known.get(GROUPS) if self.account_id else None,
        }
        return {
            name: frozenset(value if isinstance(value, tuple) else (str(value),))
            for name, value in attributes.items()
            if value
        }


def cart_context_of(cart_id: str, *, needs_shipping: bool | None = None) -> CartContext:
    """The context of a stored cart. One statement.

    needs_shipping: False if no line needs shipping, for lines that are not stored yet; None to read the stored lines.
    """
    return context_of(_CARTS.read([cart_id]), needs_shipping=needs_shipping)


def cart_context_known_to(actor: Actor, cart_id: str) -> CartContext:
    """The same for a caller who knows the cart's id, within their channels, and is not another signed-in customer.

    Raises CartNotFound. Why: docs/decisions/carts.md#a-cart-belongs-to-its-customer.
    """
    rows = _OF_SHOPPERS.read([cart_id]) if is_storable(cart_id) else []
    if not rows:
        raise CartNotFound(cart_id)
    require_known(actor, cart_id, sales_channel_id=rows[0].sales_channel_id, owner_id=rows[0].owner_id)
    return context_of(rows)


def require_known(actor: Actor, cart_id: str, *, sales_channel_id: str, owner_id: str | None) -> None:
    """Raise CartNotFound for a caller in other channels, and for a signed-in customer who is not the owner.

    owner_id: the customer with an account who owns the cart.
    """
    if sales_channel_id not in actor.sales_channel_ids or (
        actor.type == "customer" and owner_id not in (None, actor.id)
    ):
        raise CartNotFound(cart_id)


def price_context_of(given: Given, actor: Actor) -> PriceContext:
    """The price context of the cart that `cart_id` names. Raises InvalidData where the actor may not see it."""
    cart_id = given["cart_id"]
    if not (is_storable(cart_id) and Cart.objects.visible_to(actor).filter(pk=cart_id).exists()):
        raise InvalidData(missing("Cart", cart_id, field="cart_id"))
    return cart_context_of(cart_id).price_context


_CARTS = context_rows(Cart.objects.all, LineItem.objects.not_deleted, owner="cart")
_OF_SHOPPERS = context_rows(Cart.objects.of_shoppers, LineItem.objects.not_deleted, owner="cart")


def context_of(rows: Sequence[ContextRow], *, needs_shipping: bool | None = None) -> CartContext:
    """The context of a cart or order. rows: one for each of the customer's groups, and one without any.

    needs_shipping: as for `cart_context_of`.
    """
    row = rows[0]
    country, province = row.shipping_address__country_code, row.shipping_address__province
    is_shipped = bool(row.needs_shipping) if needs_shipping is None else needs_shipping
    is_taxed_at_billing = not is_shipped and row.billing_address__country_code is not None
    place = _tax_place(row, at_billing=is_taxed_at_billing)
    groups = [each.customer__groups__id for each in rows if each.customer__groups__deleted_at is None]
    known: dict[str, Attribute | None] = {
        REGION: row.region_id,
        CURRENCY: row.currency_id,
        COUNTRY: country,
        PROVINCE: province,
        CUSTOMER: row.customer_id,
        GROUPS: tuple(group for group in groups if group is not None),
    }
    price_context = PriceContext(
        row.currency_id,
        {name: value for name, value in known.items() if value},
        None,
        place,
        bool(row.region__is_tax_inclusive),
        bool(row.currency__is_tax_inclusive),
        [exemption for each in rows for exemption in each.exemptions if exemption.is_tax_exempt],
    )
    return CartContext(
        row.id,
        price_context,
        place,
        is_taxed_at_billing,
        row.totals,
        Destination(country, province, row.shipping_address__city, row.shipping_address__postal_code),
        row.sales_channel_id,
        row.owner_id,
        customer_key(row.owner_id, row.email),
        row.email,
        row.region__deleted_at is None,
        row.customer__tax_number,
        bool(row.has_promotions),
        bool(row.has_gates),
        bool(row.has_catalogue_rules),
    )


def _tax_place(row: ContextRow, *, at_billing: bool) -> TaxPlace:
    """Why: docs/decisions/taxes.md#what-is-not-shipped-is-taxed-at-the-billing-address."""
    if at_billing:
        return TaxPlace(row.region__tax_rate, row.billing_address__country_code, row.billing_address__province)
    country = row.shipping_address__country_code or row.only_country
    return TaxPlace(row.region__tax_rate, country, row.shipping_address__province)
