"""Changing the details of a cart: its region, sales channel, e-mail, addresses, codes and metadata."""

from collections.abc import Collection, Mapping, Sequence

from django.db import transaction

from carts.addresses import Address, check_country, leave_country, write_address
from carts.cart_rows import CartRow
from carts.known_addresses import filled_in
from carts.models import Cart, CartAddress
from carts.open_cart import OpenCart, open_cart
from carts.promotion_codes import set_codes
from carts.refreshing import refresh
from carts.sales_channels import channel_of, move_to_channel
from catalog import price_context
from commerce.kit.core import email_address, raw_rows, text
from commerce.kit.core.absent import ABSENT, Absent
from commerce.kit.core.actor import Actor
from commerce.kit.core.metadata import Metadata, checked, merged
from commerce.kit.core.timestamps import now

LONGEST_LOCALE = 35


@transaction.atomic
def change(
    *,
    actor: Actor,
    cart_id: str,
    region_id: str | Absent = ABSENT,
    sales_channel_id: str | Absent = ABSENT,
    email: str | Absent | None = ABSENT,
    shipping_address: Address | Absent | None = ABSENT,
    billing_address: Address | Absent | None = ABSENT,
    metadata: Metadata | Absent | None = ABSENT,
    locale: str | Absent | None = ABSENT,
    promo_codes: Collection[str] | Absent = ABSENT,
) -> None:
    """Change the given details. An address is replaced, metadata is merged, promo_codes replace the cart's codes.

    A new region brings its prices, taxes and currency; the shipping address loses a country that it does not sell to.
    A new sales channel must be one of the actor's, and sell the cart's lines.
    Raises CartNotFound, CartCompleted, CountryOutsideRegion, SalesChannelClosed, VariantsNotSold and VariantsOutOfStock
    in the new channel, PromotionCodeInvalid, VariantsWithoutPrice in the new region, CartTotalTooLarge, and InvalidData
    naming the field. Source: behaviour.md 0.22, 8.2.
    """
    cart = open_cart(actor=actor, cart_id=cart_id)
    row, values = cart.row, dict[str, object]()
    if region_id is not ABSENT and region_id != row.region_id:
        values.update(_moved(cart, region_id))
    if sales_channel_id is not ABSENT and sales_channel_id != row.sales_channel_id:
        move_to_channel(cart, channel_of(actor, sales_channel_id))
        values["sales_channel_id"] = sales_channel_id
    if email is not ABSENT:
        values["email"] = checked_email(email)
    if locale is not ABSENT:
        values["locale"] = checked_locale(locale)
    if metadata is not ABSENT:
        values["metadata"] = merged(row.metadata, checked(metadata))
    addresses = _addressed(cart, actor, {"shipping_address": shipping_address, "billing_address": billing_address})
    if shipping_address_id := addresses.get("shipping_address_id"):
        check_country(shipping_address_id, row.region_id)
    if values or addresses:
        raw_rows.update(Cart, [{"id": cart.id, **values, **addresses, "updated_at": now()}])
        _delete_addresses(row, [name for name, address_id in addresses.items() if address_id is None])
    if promo_codes is not ABSENT:
        set_codes(cart, promo_codes)
    refresh(cart)


def checked_email(email: str | None) -> str | None:
    """The address as it is stored; None for an empty text. Raises InvalidData."""
    return email_address.checked(email) if email else None


def checked_locale(locale: str | None) -> str | None:
    """The locale as it is. Raises InvalidData if it is too long."""
    return None if locale is None else text.checked(locale, field="locale", longest=LONGEST_LOCALE, one_line=True)


def _addressed(cart: OpenCart, actor: Actor, given: Mapping[str, Address | Absent | None]) -> dict[str, str | None]:
    """Write the given addresses; the columns that refer to them. Raises InvalidData."""
    named: dict[str, str | None] = {}
    for name, address in given.items():
        if address is None:
            named[f"{name}_id"] = None
        elif address is not ABSENT:
            known = filled_in(address, actor=actor, field=name)
            named[f"{name}_id"] = write_address(getattr(cart.row, f"{name}_id"), known, field=name)
    return named


def _delete_addresses(row: CartRow, names: Sequence[str]) -> None:
    """Delete the addresses in these columns of the stored cart, which no longer refers to them: nothing else does."""
    raw_rows.delete(CartAddress, [stored_id for name in names if (stored_id := getattr(row, name))])


def _moved(cart: OpenCart, region_id: str) -> dict[str, str]:
    """Move the open cart to the region; the columns that change. Raises InvalidData."""
    context = price_context.find(region_id=region_id)
    row = cart.row
    cart.currency_changed = row.currency_id != context.currency_code
    row.region_id, row.currency_id = region_id, context.currency_code
    if row.shipping_address_id is not None:
        leave_country(row.shipping_address_id, region_id)
    return {"region_id": region_id, "currency_id": context.currency_code}
