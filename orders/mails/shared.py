"""What the emails about an order share."""

from collections.abc import Sequence

from django.conf import settings
from django.db.models import Prefetch

from carts.models import Cart
from kit.messages.mails import pages
from kit.messages.mails.kinds import Attachment, RenderedMail
from kit.values.json import JSON, JSONObject
from orders.models import Order, OrderLineItem
from shop.models.addresses import PostalAddress

READ = ("shipping_address", "billing_address", "region", "customer")
"""What `order_mail` reads of an order."""
OF_ORDER = tuple(f"order__{path}" for path in READ)
"""The same for the order of a row."""
LINES = Prefetch("items", OrderLineItem.objects.not_deleted())


def is_mailed(order: Order) -> bool:
    """Whether the customer gets emails about the order. An erased order has no address."""
    return bool(order.email) and order.deleted_at is None and not order.no_notification


def order_mail(
    template: str, order: Order, /, *, attachments: Sequence[Attachment] = (), **context: JSON
) -> RenderedMail | None:
    """An email to the customer, with the order's number and the link to its page; None if they get no emails about it.

    The link may be empty.
    """
    if not is_mailed(order):
        return None
    own: JSONObject = {"order": {"number": str(order)}, "link": order_page(order)}
    return RenderedMail(str(order.email), template, {**own, **context}, attachments)


def order_page(order: Order) -> str:
    """The link to the storefront's page of the order; where that is a customer's, to a page that asks to sign in.

    Empty where the order's id opens no page.
    Why: docs/decisions/orders.md#customers-emails-link-to-a-page-that-asks-to-sign-in.
    """
    if order.left_account_at is not None:
        return ""
    is_private = order.customer is not None and order.customer.has_account
    page = settings.ACCOUNT_ORDER_PAGE if is_private else settings.ORDER_PAGE
    return pages.link(page, country_code=country_code(order), order_id=order.pk)


def country_code(order: Order | Cart) -> str:
    """The country whose pages of the storefront the customer uses, as far as the order or cart shows it."""
    for address in (order.shipping_address, order.billing_address):
        if address is not None and address.country_code:
            return str(address.country_code)
    first = order.region.countries.order_by("iso_2").values_list("iso_2", flat=True).first()
    return str(first or "")


def units_of(line: OrderLineItem, quantity: int) -> JSONObject:
    """So many units of a line."""
    return {"title": line.product_title or line.title, "variant": line.variant_title or "", "quantity": quantity}


def address_lines(address: PostalAddress | None) -> list[JSON]:
    """The lines of the address; none without one."""
    return [*address.lines()] if address else []
