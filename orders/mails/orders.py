"""The mail that confirms an order."""

from decimal import Decimal

from django.conf import settings
from django.db.models import Prefetch

from commerce.kit.core import money
from commerce.kit.core.json import JSON, JSONObject
from commerce.kit.mails import pages
from commerce.kit.mails.kinds import RenderedMail
from commerce.shop.models.addresses import PostalAddress
from orders.models import Order, OrderLineItem, OrderShippingMethod

KIND = "order_placed"
_LINES = Prefetch("items", OrderLineItem.objects.not_deleted())
_METHODS = Prefetch("shipping_methods", OrderShippingMethod.objects.not_deleted())


def render_order_mail(about: str, number: int) -> RenderedMail | None:
    """The mail about the order with that id; None if it is gone or erased, or wants no notification."""
    orders = Order.objects.not_deleted().select_related("shipping_address", "billing_address", "region")
    order = orders.prefetch_related(_LINES, _METHODS).filter(pk=about).first()
    if order is None or order.email is None or order.no_notification:
        return None
    return RenderedMail(
        recipient=order.email,
        template=KIND,
        context={
            "order": _described(order),
            "link": pages.link(settings.ORDER_PAGE, country_code=country_code(order), order_id=order.pk),
        },
    )


def country_code(order: Order) -> str:
    """The country whose pages of the storefront the customer uses, as far as the order shows it."""
    for address in (order.shipping_address, order.billing_address):
        if address is not None and address.country_code:
            return str(address.country_code)
    first = order.region.countries.order_by("iso_2").values_list("iso_2", flat=True).first()
    return str(first or "")


def _described(order: Order) -> JSONObject:
    """Amounts as texts with the currency's digits; those that are left out of the mail at zero are then empty."""
    currency_code = order.currency_id
    return {
        "number": str(order),
        "currency_code": currency_code.upper(),
        "lines": [_line(line, currency_code) for line in sorted(order.items.all(), key=lambda line: line.pk)],
        "shipping_methods": [
            {"name": method.name, "total": _amount(method.original_total, currency_code)}
            for method in sorted(order.shipping_methods.all(), key=lambda method: method.pk)
        ],
        "item_total": _amount(order.original_item_total, currency_code),
        "discount_total": _amount(order.discount_total, currency_code) if order.discount_total else "",
        "credit_line_total": _amount(order.credit_line_total, currency_code) if order.credit_line_total else "",
        "tax_total": _amount(order.tax_total, currency_code) if order.tax_total else "",
        "total": _amount(order.total, currency_code),
        "shipping_address": _lines(order.shipping_address),
        "billing_address": _lines(order.billing_address),
    }


def _line(line: OrderLineItem, currency_code: str) -> JSONObject:
    return {
        "title": line.product_title or line.title,
        "variant": line.variant_title or "",
        "quantity": line.quantity,
        "total": _amount(line.original_total, currency_code),
    }


def _amount(amount: Decimal, currency_code: str) -> str:
    """`1,250.00 USD`."""
    return f"{money.rounded(amount, currency_code):,} {currency_code.upper()}"


def _lines(address: PostalAddress | None) -> list[JSON]:
    return [*address.lines()] if address else []
