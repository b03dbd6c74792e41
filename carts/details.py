"""Changing what a cart says of itself: where it goes, whose it is to be, in which region it is paid."""

from collections.abc import Collection, Mapping
from typing import Any, TypedDict, Unpack

from django.db import transaction

from carts.addresses import Address, check_country, leave_country, write_address
from carts.known_addresses import filled_in
from carts.models import Cart, CartAddress
from carts.open_cart import CartRow, OpenCart, open_cart
from carts.promotion_codes import set_codes
from carts.refreshing import refresh
from carts.sales_channels import channel_of, enter
from catalog import price_context
from commerce.kit.core import email_address, raw_rows, text
from commerce.kit.core.actor import Actor
from commerce.kit.core.metadata import Metadata, checked, merged
from commerce.kit.core.timestamps import now

LONGEST_LOCALE = 35


class CartDetails(TypedDict, total=False):
    """What can be changed of a cart; what is left out stays as it is."""

    region_id: str
    sales_channel_id: str
    email: str | None
    shipping_address: Address | None
    billing_address: Address | None
    metadata: Metadata | None
    locale: str | None
    promo_codes: Collection[str]


@transaction.atomic
def change(*, actor: Actor, cart_id: str, **changes: Unpack[CartDetails]) -> None:
    """Change what is given; an address becomes what is given of it, metadata is merged, promo_codes are all there are.

    In another region prices and taxes are that region's, in its currency, and the shipping address loses a country that
    it does not sell to. Another sales channel has to be one of the actor's, and to sell what is in the cart.
    Raises CartNotFound, CartCompleted, CountryOutsideRegion, SalesChannelClosed, VariantsNotSold and VariantsOutOfStock
    in the new channel, PromotionCodeInvalid, VariantsWithoutPrice in the new region, TooDear, InvalidData naming the
    field. Source: behaviour.md 0.22, 8.2.
    """
    cart = open_cart(actor=actor, cart_id=cart_id)
    row, values = cart.row, dict[str, Any]()
    if changes.get("region_id", row.region_id) != row.region_id:
        values.update(_moved(cart, changes["region_id"]))
    if changes.get("sales_channel_id", row.sales_channel_id) != row.sales_channel_id:
        enter(cart, channel_of(actor, changes["sales_channel_id"]))
        values["sales_channel_id"] = changes["sales_channel_id"]
    values.update(_described(row, changes))
    if "shipping_address" in changes:
        values.update(_addressed(cart, actor, "shipping_address", changes["shipping_address"]))
    if "billing_address" in changes:
        values.update(_addressed(cart, actor, "billing_address", changes["billing_address"]))
    if values.get("shipping_address_id") is not None:
        check_country(values["shipping_address_id"], row.region_id)
    if values:
        raw_rows.update(Cart, [{"id": cart.id, **values, "updated_at": now()}])
        _forget_addresses(row, values)
    if "promo_codes" in changes:
        set_codes(cart, changes["promo_codes"])
    refresh(cart)


def checked_email(email: str | None) -> str | None:
    """The address as it is kept; empty text is none. Raises InvalidData."""
    return email_address.checked(email) if email else None


def checked_locale(locale: str | None) -> str | None:
    """Raises InvalidData for what is too long."""
    return None if locale is None else text.checked(locale, field="locale", longest=LONGEST_LOCALE, one_line=True)


def _described(row: CartRow, changes: CartDetails) -> dict[str, Any]:
    """The columns of e-mail, locale and metadata, where they are given. Raises InvalidData."""
    values = dict[str, Any]()
    if "email" in changes:
        values["email"] = checked_email(changes["email"])
    if "locale" in changes:
        values["locale"] = checked_locale(changes["locale"])
    if "metadata" in changes:
        values["metadata"] = merged(row.metadata, checked(changes["metadata"]))
    return values


def _addressed(cart: OpenCart, actor: Actor, name: str, address: Address | None) -> dict[str, str | None]:
    """The column that names the address, which is written. Raises InvalidData."""
    column = f"{name}_id"
    if address is None:
        return {column: None}
    known = filled_in(address, actor=actor, field=name)
    return {column: write_address(getattr(cart.row, column), known, field=name)}


def _forget_addresses(row: CartRow, values: Mapping[str, Any]) -> None:
    """Let go what the cart named before and now names no more: nobody would find it again."""
    gone = [
        getattr(row, name) for name in ("shipping_address_id", "billing_address_id") if values.get(name, row) is None
    ]
    raw_rows.delete(CartAddress, [address_id for address_id in gone if address_id is not None])


def _moved(cart: OpenCart, region_id: str) -> dict[str, str]:
    """The columns of a cart in that region, whose row has them from now on. Raises InvalidData."""
    context = price_context.find(region_id=region_id)
    row = cart.row
    cart.currency_changed = row.currency_id != context.currency_code
    row.region_id, row.currency_id = region_id, context.currency_code
    if row.shipping_address_id is not None:
        leave_country(row.shipping_address_id, region_id)
    return {"region_id": region_id, "currency_id": context.currency_code}
