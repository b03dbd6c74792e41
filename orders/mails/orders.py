"""The email that confirms an order."""

from django.db.models import Prefetch

from carts.models.kept_totals import TotalColumns
from carts.pricing.tax_terms import TaxTerms
from kit.messages.mails.kinds import RenderedMail
from kit.values.json import JSONObject
from kit.values.written_amounts import written
from orders.common.order_taxes import taxes_of
from orders.mails.shared import LINES, READ, address_lines, order_mail, units_of
from orders.models import Order, OrderShippingMethod

KIND = "order_placed"
_METHODS = Prefetch("shipping_methods", OrderShippingMethod.objects.not_deleted())


def render_order_mail(about: str, number: int) -> RenderedMail | None:
    """The email about the order with that id; None if it is gone or erased, or wants no notification."""
    orders = Order.objects.not_deleted().select_related(*READ).prefetch_related(LINES, _METHODS)
    order = orders.filter(pk=about).first()
    return order_mail(KIND, order, order=_described(order)) if order else None


def _described(order: Order) -> JSONObject:
    """Amounts as texts with the currency's digits; those that are left out of the email at zero are then empty.

    Totals are with tax, subtotals without; the email shows those in which the shop states its prices.
    """
    currency_code = order.currency_id
    lines = sorted(order.items.all(), key=lambda line: line.pk)
    return {
        "number": str(order),
        "currency_code": currency_code.upper(),
        "is_tax_inclusive": TaxTerms.of(lines).is_tax_inclusive,
        "lines": [{**units_of(line, line.quantity), **_amounts(line, currency_code)} for line in lines],
        "shipping_methods": [
            {"name": method.name, **_amounts(method, currency_code)}
            for method in sorted(order.shipping_methods.all(), key=lambda method: method.pk)
        ],
        "item_total": written(order.original_item_total, currency_code),
        "item_subtotal": written(order.item_subtotal, currency_code),
        "discount_total": written(order.discount_total, currency_code) if order.discount_total else "",
        "discount_subtotal": written(order.discount_subtotal, currency_code) if order.discount_subtotal else "",
        "credit_line_total": written(order.credit_line_total, currency_code) if order.credit_line_total else "",
        "taxes": [{"name": tax.label, "total": written(tax.total, currency_code)} for tax in taxes_of(order)],
        "tax_total": written(order.tax_total, currency_code) if order.tax_total else "",
        "total": written(order.total, currency_code),
        "is_tax_exempt": bool(order.is_tax_exempt),
        "tax_number": order.tax_number or "",
        "shipping_address": address_lines(order.shipping_address),
        "billing_address": address_lines(order.billing_address),
    }


def _amounts(row: TotalColumns, currency_code: str) -> JSONObject:
    """What a line or shipping method costs before discounts."""
    return {
        "total": written(row.original_total, currency_code),
        "subtotal": written(row.subtotal, currency_code),
    }
