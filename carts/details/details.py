"""Changing the details of a cart: its region, sales channel, email, addresses, codes and metadata."""

from collections.abc import Collection, Sequence
from typing import TypedDict, Unpack

from django.db import transaction

from carts.details.addresses import Address, check_country, leave_country, write_address
from carts.details.copied_addresses import filled_in
from carts.details.promotion_codes import set_codes
from carts.details.sales_channels import channel_of, move_to_channel
from carts.models import Cart, CartAddress
from carts.pricing.cart_rows import CartRow
from carts.pricing.locked_cart import LockedCart, lock_open_cart
from carts.pricing.refreshing import refresh
from catalog.prices import price_context
from kit.domain.actor import Actor
from kit.values import email_address, text
from kit.values.metadata import Metadata, checked, merged
from kit.values.timestamps import now
from kit.writes import raw_rows

LONGEST_LOCALE = 35


class CartDetails(TypedDict, total=False):
    """The fields of a cart that can change; omitted ones stay."""

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
    """Change the given details. An address is replaced, metadata is merged, promo_codes replace the cart's codes.

    A new region brings its prices, taxes and currency; both addresses lose a country that it does not sell to.
    A new sales channel must be one of the actor's, and sell the cart's lines.
    Raises CartNotFound, CartCompleted, CountryOutsideRegion, SalesChannelClosed, LinesNotSold and LinesOutOfStock
    in the new channel, PromotionCodeInvalid, LinesWithoutPrice in the new region, CartTotalTooLarge, and InvalidData
    naming the field.
    """
    cart = lock_open_cart(actor=actor, cart_id=cart_id)
    row, values = cart.row, dict[str, object]()
    if changes.get("region_id", row.region_id) != row.region_id:
        values.update(_moved(cart, changes["region_id"]))
    if changes.get("sales_channel_id", row.sales_channel_id) != row.sales_channel_id:
        move_to_channel(cart, channel_of(actor, changes["sales_channel_id"]))
        values["sales_channel_id"] = changes["sales_channel_id"]
    values.update(described(row, changes))
    addresses = addressed(cart, actor, changes)
    if shipping_address_id := addresses.get("shipping_address_id"):
        check_country(shipping_address_id, row.region_id)
    if values or addresses:
        raw_rows.update(Cart, [{"id": cart.id, **values, **addresses, "updated_at": now()}])
        delete_addresses(row, [name for name, address_id in addresses.items() if address_id is None])
    if "promo_codes" in changes:
        set_codes(cart, changes["promo_codes"])
    refresh(cart)


def checked_email(email: str | None) -> str | None:
    """The address as it is stored; None for an empty text. Raises InvalidData."""
    return email_address.checked(email) if email else None


def checked_locale(locale: str | None) -> str | None:
    """The locale as it is. Raises InvalidData if it is too long."""
    return None if locale is None else text.checked(locale, field="locale", longest=LONGEST_LOCALE, one_line=True)


def described(row: CartRow, changes: CartDetails) -> dict[str, object]:
    """The columns of email, locale and metadata, where they are given. Raises InvalidData."""
    values = dict[str, object]()
    if "email" in changes:
        values["email"] = checked_email(changes["email"])
    if "locale" in changes:
        values["locale"] = checked_locale(changes["locale"])
    if "metadata" in changes:
        values["metadata"] = merged(row.metadata, checked(changes["metadata"]))
    return values


def addressed(cart: LockedCart, actor: Actor, changes: CartDetails) -> dict[str, str | None]:
    """Write the given addresses; the columns that refer to them. Raises InvalidData."""
    given: dict[str, Address | None] = {}
    if "shipping_address" in changes:
        given["shipping_address"] = changes["shipping_address"]
    if "billing_address" in changes:
        given["billing_address"] = changes["billing_address"]
    named: dict[str, str | None] = {}
    for name, address in given.items():
        if address is None:
            named[f"{name}_id"] = None
        else:
            known = filled_in(address, actor=actor, field=name)
            named[f"{name}_id"] = write_address(getattr(cart.row, f"{name}_id"), known, field=name)
    return named


def delete_addresses(row: CartRow, names: Sequence[str]) -> None:
    """Delete the addresses in these columns of the stored cart, which no longer refers to them: nothing else does."""
    raw_rows.delete(CartAddress, [stored_id for name in names if (stored_id := getattr(row, name))])


def _moved(cart: LockedCart, region_id: str) -> dict[str, str]:
    """Move the locked cart to the region; the columns that change. Raises InvalidData."""
    context = price_context.find(region_id=region_id)
    row = cart.row
    cart.currency_changed = row.currency_id != context.currency_code
    row.region_id, row.currency_id = region_id, context.currency_code
    for address_id in (row.shipping_address_id, row.billing_address_id):
        if address_id is not None:
            leave_country(address_id, region_id)
    return {"region_id": region_id, "currency_id": context.currency_code}
