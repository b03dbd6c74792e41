"""Changing what a draft says of itself: at once, and not by its change."""

from typing import TypedDict, Unpack

from django.db import transaction

from carts.details.addresses import Address
from carts.details.details import checked_locale
from carts.details.faults import Faults
from carts.details.replacement import CartParts, write_details
from carts.details.sales_channels import move_to_channel
from carts.models import Cart
from carts.pricing.refreshing import refresh
from kit.domain.actor import Actor
from kit.values.metadata import Metadata, checked, merged
from kit.values.timestamps import now
from kit.writes import raw_rows
from orders.drafts.creation import channel_id, customer_of
from orders.drafts.locked_draft import MANAGING, lock_draft


class DraftDetails(TypedDict, total=False):
    """What can change at once; omitted fields stay. An address is replaced, metadata is merged."""

    email: str | None
    customer_id: str | None
    sales_channel_id: str
    shipping_address: Address | None
    billing_address: Address | None
    locale: str | None
    metadata: Metadata | None


@transaction.atomic
def change(*, actor: Actor, draft_id: str, **changes: Unpack[DraftDetails]) -> None:
    """Change the given details; prices, taxes, shipping and discounts follow.

    A new customer brings their email, unless one is given. A new channel must sell the lines.
    Raises DraftNotFound, DraftConverted, CartFaults with all that is wrong, Forbidden.
    """
    actor.require(MANAGING)
    cart, faults, columns = lock_draft(draft_id), Faults(), dict[str, object]()
    if "customer_id" in changes:
        with faults.of("customer_id"):
            customer = None if changes["customer_id"] is None else customer_of(changes["customer_id"])
            columns["customer_id"] = customer.pk if customer else None
            if customer is not None and "email" not in changes:
                columns["email"] = customer.email
    if "sales_channel_id" in changes and changes["sales_channel_id"] != cart.row.sales_channel_id:
        with faults.of("sales_channel_id"):
            move_to_channel(cart, channel_id(changes["sales_channel_id"]))
            columns["sales_channel_id"] = changes["sales_channel_id"]
    if "locale" in changes:
        with faults.of("locale"):
            columns["locale"] = checked_locale(changes["locale"])
    if "metadata" in changes:
        with faults.of("metadata"):
            columns["metadata"] = merged(cart.row.metadata, checked(changes["metadata"]))
    if columns:
        raw_rows.update(Cart, [{"id": cart.id, **columns, "updated_at": now()}])
    given: CartParts = {}
    for name in ("email", "shipping_address", "billing_address"):
        if name in changes:
            given[name] = changes[name]
    write_details(cart, actor, given, faults)
    faults.raise_any()
    refresh(cart)
