"""Creating carts."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from django.db import transaction

from carts.arithmetic.totals import CartTotals
from carts.details.addresses import Address, check_country, write_address
from carts.details.copied_addresses import filled_in
from carts.details.details import checked_email, checked_locale
from carts.details.promotion_codes import add_codes
from carts.details.sales_channels import channel_of
from carts.errors import NoRegion
from carts.lines.lines import NewLineItem, add_items
from carts.models import Cart
from carts.pricing.cart_rows import CART_COLUMNS, CartRow
from carts.pricing.locked_cart import LockedCart
from carts.pricing.refreshing import refresh
from catalog.prices import price_context
from catalog.prices.price_context import PriceContext
from customers.models import Customer
from kit.domain.actor import Actor
from kit.values.ids import new_secret_id
from kit.values.metadata import Metadata, checked
from kit.values.timestamps import now
from kit.writes import raw_rows


class NewDraft(NamedTuple):
    """What a new cart of staff has besides: its number, who creates it, and whether its customer gets no emails."""

    number: int
    created_by: str | None
    no_notification: bool | None


@transaction.atomic
def create(
    *,
    actor: Actor,
    region_id: str | None = None,
    currency_code: str | None = None,
    sales_channel_id: str | None = None,
    items: Sequence[NewLineItem] = (),
    email: str | None = None,
    shipping_address: Address | None = None,
    billing_address: Address | None = None,
    promo_codes: Collection[str] = (),
    metadata: Metadata | None = None,
    locale: str | None = None,
) -> str:
    """Create a cart in the region, else in the store's default one, and return its id.

    A signed-in customer owns the cart from the start; it has their email if none is given.
    Raises NoRegion, SalesChannelNeeded, SalesChannelClosed, CountryOutsideRegion, VariantsNotSold,
    LinesWithoutPrice, LinesOutOfStock, TooManyLines, CartTotalTooLarge, PromotionCodeInvalid, and InvalidData
    naming the field, also for a currency that is not the region's.
    """
    region, customer = _region(region_id, currency_code), _customer(actor)
    cart = make(
        region=region,
        sales_channel_id=channel_of(actor, sales_channel_id),
        customer_id=customer.pk if customer else None,
        email=checked_email(email) or (customer.email if customer else None),
        shipping_address=_known(shipping_address, actor, "shipping_address"),
        billing_address=_known(billing_address, actor, "billing_address"),
        metadata=metadata,
        locale=checked_locale(locale),
    )
    if promo_codes:
        add_codes(cart, promo_codes)
    add_items(cart, items)
    refresh(cart)
    return cart.id


def make(
    *,
    region: PriceContext,
    sales_channel_id: str,
    cart_id: str | None = None,
    customer_id: str | None = None,
    email: str | None = None,
    shipping_address: Address | None = None,
    billing_address: Address | None = None,
    metadata: Metadata | None = None,
    locale: str | None = None,
    draft: NewDraft | None = None,
) -> LockedCart:
    """A new empty cart, stored and open: the caller adds lines and calls refresh. draft: of staff's.

    Raises CountryOutsideRegion, InvalidData naming the field.
    """
    cart = CartRow(
        id=cart_id or new_secret_id("cart"),
        region_id=str(region.region_id),
        sales_channel_id=sales_channel_id,
        currency_id=region.currency_code,
        customer_id=customer_id,
        metadata=checked(metadata),
        shipping_address_id=_written(shipping_address, "shipping_address"),
        billing_address_id=_written(billing_address, "billing_address"),
    )
    if draft is not None:
        cart.is_draft, (cart.draft_number, cart.created_by, cart.no_notification) = True, draft
    if cart.shipping_address_id is not None:
        check_country(cart.shipping_address_id, cart.region_id)
    moment = now()
    cart.empty_since = moment.isoformat()
    columns = {name: getattr(cart, name) for name in CART_COLUMNS}
    dates = {"created_at": moment, "updated_at": moment, "deleted_at": None, "empty_since": moment}
    totals = dict.fromkeys(CartTotals._fields, 0)
    raw_rows.insert(Cart, [{**columns, "email": email, "locale": locale, **totals, **dates}])
    return LockedCart(cart, is_new=True)


def _written(address: Address | None, field: str) -> str | None:
    return None if address is None else write_address(None, address, field=field)


def _region(region_id: str | None, currency_code: str | None) -> PriceContext:
    region = price_context.find(region_id=region_id) if region_id is not None else price_context.of_store()
    if region is None or region.region_id is None:
        raise NoRegion
    if currency_code is not None:
        return price_context.find(region_id=str(region.region_id), currency_code=currency_code)
    return region


def _known(given: Address | None, actor: Actor, field: str) -> Address | None:
    return None if given is None else filled_in(given, actor=actor, field=field)


def _customer(actor: Actor) -> Customer | None:
    if actor.type != "customer" or actor.id is None:
        return None
    found: Customer | None = Customer.objects.visible_to(actor).filter(pk=actor.id).first()
    return found
