"""Creating and deleting draft orders."""

from collections.abc import Collection, Sequence

from django.db import transaction

from carts.details.addresses import Address
from carts.details.creation import NewDraft, make
from carts.details.deletion import delete_carts
from carts.details.details import checked_email, checked_locale
from carts.details.faults import Faults
from carts.details.line_replacement import WantedLine
from carts.details.replacement import put_parts, write_details
from carts.models import DraftNumber
from catalog.prices import price_context
from customers.models import Customer
from kit.domain.actor import Actor
from kit.domain.missing_row import missing
from kit.errors import InvalidData
from kit.values.metadata import Metadata, checked
from kit.values.text import is_storable
from kit.writes.counters import next_number
from orders.common.open_edit import acting
from orders.drafts.locked_draft import MANAGING, SETTING_PRICES, lock_draft
from orders.drafts.methods import DraftMethod, wanted_methods
from shop.models import SalesChannel, Store


@transaction.atomic
def create(
    *,
    actor: Actor,
    region_id: str,
    currency_code: str | None = None,
    sales_channel_id: str | None = None,
    customer_id: str | None = None,
    email: str | None = None,
    shipping_address: Address | None = None,
    billing_address: Address | None = None,
    items: Sequence[WantedLine] = (),
    shipping_methods: Sequence[DraftMethod] = (),
    promo_codes: Collection[str] = (),
    no_notification: bool | None = None,
    locale: str | None = None,
    metadata: Metadata | None = None,
    faults: Faults | None = None,
) -> str:
    """Create a draft and return its id. Without a channel it is of the store's default one.

    It has the customer's email if none is given. Nothing is reserved, and no use of a promotion counts.
    no_notification: whether the customer gets no emails about the order.
    faults: collects all that is wrong and is left out, for a preview; by default it is raised.
    Raises CartFaults, InvalidData (region_id, currency_code), Forbidden.
    """
    actor.require(MANAGING)
    require_prices(actor, items, shipping_methods)
    region = price_context.find(region_id=region_id, currency_code=currency_code)
    found, texts = Faults() if faults is None else faults, dict[str, str | None]()
    channel = str(Store.objects.values_list("default_sales_channel_id", flat=True).get())
    customer, kept = None, None
    with found.of("sales_channel_id"):
        channel = channel_id(sales_channel_id) if sales_channel_id is not None else channel
    with found.of("customer_id"):
        customer = None if customer_id is None else customer_of(customer_id)
    with found.of("email"):
        texts["email"] = checked_email(email)
    with found.of("locale"):
        texts["locale"] = checked_locale(locale)
    with found.of("metadata"):
        kept = checked(metadata)
    cart = make(
        region=region,
        sales_channel_id=channel,
        customer_id=customer.pk if customer else None,
        email=texts.get("email") or (customer.email if customer else None),
        locale=texts.get("locale"),
        metadata=kept,
        draft=NewDraft(next_number(DraftNumber), acting(actor), no_notification),
    )
    write_details(cart, actor, {"shipping_address": shipping_address, "billing_address": billing_address}, found)
    put_parts(cart, found, actor=actor, items=items, promo_codes=promo_codes)
    methods = wanted_methods(cart, shipping_methods, found)  # their rules compare what the lines cost
    put_parts(cart, found, actor=actor, shipping_methods=methods)
    if faults is None:
        found.raise_any()
    return cart.id


@transaction.atomic
def delete(*, actor: Actor, draft_id: str) -> None:
    """Delete a draft for good, with its changes. Raises DraftNotFound, DraftConverted, Forbidden."""
    actor.require(MANAGING)
    delete_carts([lock_draft(draft_id).id])


def require_prices(actor: Actor, items: Sequence[WantedLine], methods: Sequence[DraftMethod]) -> None:
    """Raise Forbidden if any price is given, and the actor may not set prices."""
    if any(each.unit_price is not None or each.compare_at_unit_price is not None for each in items) or any(
        each.custom_amount is not None for each in methods
    ):
        actor.require(SETTING_PRICES)


def customer_of(customer_id: str) -> Customer:
    """The customer with that id. Raises InvalidData (customer_id)."""
    found: Customer | None = Customer.objects.not_deleted().with_id(customer_id)
    if found is None:
        raise InvalidData(missing("Customer", customer_id, field="customer_id"))
    return found


def channel_id(sales_channel_id: str) -> str:
    """The id of that sales channel. Raises InvalidData (sales_channel_id)."""
    known = is_storable(sales_channel_id) and SalesChannel.objects.not_deleted().filter(pk=sales_channel_id).exists()
    if not known:
        raise InvalidData(missing("Sales channel", sales_channel_id, field="sales_channel_id"))
    return sales_channel_id
