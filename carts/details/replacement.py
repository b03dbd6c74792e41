"""Replacing a cart at once: its lines, codes, addresses and shipping methods."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TypedDict, Unpack

from django.db import transaction

from carts.checkout import shipping_methods
from carts.details.addresses import Address, check_country
from carts.details.details import addressed, checked_email, delete_addresses
from carts.details.faults import Faults
from carts.details.line_replacement import WantedLine, put_lines, refresh_priced
from carts.details.promotion_codes import replace_codes
from carts.errors import CartTotalTooLarge, MethodNotPossible, PromotionCodeInvalid, TooManyCodes
from carts.models import Cart, ShippingMethod
from carts.pricing.locked_cart import LockedCart, lock_open_cart
from kit.domain.actor import Actor
from kit.values.metadata import Metadata
from kit.values.timestamps import now
from kit.writes import raw_rows


@dataclass(frozen=True, slots=True)
class WantedMethod:
    """A shipping method that a cart shall have. method_id: of one that it has already, or the id that a new one gets.

    name: of the option. amount: what staff have set for a draft's method, in 1/10,000, with tax if is_tax_inclusive;
    None for the option's price, which the cart's refresh sets. description, metadata: None keeps what it has.
    field: what refusals call it; its place in the list by default.
    """

    shipping_option_id: str
    name: str
    method_id: str | None = None
    amount: int | None = None
    is_tax_inclusive: bool = False
    description: str | None = None
    metadata: Metadata | None = None
    field: str = ""


class CartParts(TypedDict, total=False):
    """The parts of a cart; each that is given replaces what the cart has, and the others stay."""

    items: Sequence[WantedLine]
    promo_codes: Collection[str]
    email: str | None
    shipping_address: Address | None
    billing_address: Address | None
    shipping_methods: Sequence[WantedMethod]


@transaction.atomic
def replace(*, actor: Actor, cart_id: str, **parts: Unpack[CartParts]) -> None:
    """Replace the given parts of the cart under one lock, with one refresh.

    Raises CartNotFound, CartCompleted, Conflict, and CartFaults with all that is wrong.
    """
    replace_locked(lock_open_cart(actor=actor, cart_id=cart_id), Faults(), actor=actor, **parts)


def replace_locked(cart: LockedCart, faults: Faults, *, actor: Actor, **parts: Unpack[CartParts]) -> None:
    """The same for a cart that is locked. faults: those found before, which are raised with its own."""
    put_parts(cart, faults, actor=actor, **parts)
    faults.raise_any()


def put_parts(cart: LockedCart, faults: Faults, *, actor: Actor, **parts: Unpack[CartParts]) -> None:
    """The same, but what the cart cannot have is left out and becomes a fault."""
    write_details(cart, actor, parts, faults)
    fields = put_lines(cart, parts["items"], faults) if "items" in parts else {}
    if "promo_codes" in parts:
        _put_codes(cart, [*parts["promo_codes"]], faults)
    places = _put_methods(cart, parts["shipping_methods"]) if "shipping_methods" in parts else {}
    try:
        refresh_priced(cart, fields, faults)
    except CartTotalTooLarge as error:
        faults.add("items", error)
    kept = {method.id for method in cart.methods}
    for method_id, (field, name) in places.items():
        if method_id not in kept:
            faults.add(field, MethodNotPossible(name))


def write_details(cart: LockedCart, actor: Actor, parts: CartParts, faults: Faults) -> None:
    """Write email and addresses of the locked cart. Its refresh is still to come."""
    columns: dict[str, str | None] = {}
    if "email" in parts:
        with faults.of("email"):
            columns["email"] = checked_email(parts["email"])
    if "shipping_address" in parts:
        with faults.of("shipping_address"):
            columns |= addressed(cart, actor, {"shipping_address": parts["shipping_address"]})
            if address_id := columns["shipping_address_id"]:
                check_country(address_id, cart.row.region_id)
    if "billing_address" in parts:
        with faults.of("billing_address"):
            columns |= addressed(cart, actor, {"billing_address": parts["billing_address"]})
    if columns:
        raw_rows.update(Cart, [{"id": cart.id, **columns, "updated_at": now()}])
        delete_addresses(cart.row, [name for name, value in columns.items() if value is None and name != "email"])


def _put_codes(cart: LockedCart, codes: Sequence[str], faults: Faults) -> None:
    try:
        replace_codes(cart, codes)
    except TooManyCodes as error:
        faults.add("promo_codes", error)
    except PromotionCodeInvalid as error:
        for place, code in enumerate(codes):
            if code in error.codes:
                faults.add(f"promo_codes[{place}]", PromotionCodeInvalid(code))


def _put_methods(cart: LockedCart, wanted: Sequence[WantedMethod]) -> dict[str, tuple[str, str]]:
    """Give the locked cart these methods and no others; returns field and name of each by its id."""
    stored = {method.id: method for method in cart.methods}
    places: dict[str, tuple[str, str]] = {}
    texts: dict[str, list[raw_rows.RawRow]] = defaultdict(list)
    for place, each in enumerate(wanted):
        method = stored.pop(each.method_id or "", None)
        if method is None:
            method = shipping_methods.add(
                cart,
                shipping_option_id=each.shipping_option_id,
                name=each.name,
                amount=0,
                is_tax_inclusive=each.is_tax_inclusive,
                description=each.description,
                metadata=each.metadata,
                method_id=each.method_id,
            )
        else:
            for column in ("description", "metadata"):
                if (given := getattr(each, column)) is not None:
                    texts[column].append({"id": method.id, column: given})
        if each.amount is not None and not cart.row.is_draft:
            raise RuntimeError("Only methods of drafts have amounts of staff.")
        method.shipping_option_id, method.name = each.shipping_option_id, each.name or method.name
        method.is_custom_amount = each.amount is not None
        if each.amount is not None:
            method.amount, method.is_tax_inclusive = each.amount, each.is_tax_inclusive
        places[method.id] = each.field or f"shipping_methods[{place}]", method.name
    for method in stored.values():
        shipping_methods.remove(cart, method)
    for rows in texts.values():
        raw_rows.update(ShippingMethod, rows)
    cart.needed_shipping = None  # the methods are for the lines as they are now
    return places
