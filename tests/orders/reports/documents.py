"""Invoices and credit notes with figures that a test states, without the verbs that write them."""

from datetime import datetime
from decimal import Decimal
from typing import Any

from django.utils.timezone import localdate
from django.utils.timezone import make_aware as aware

from kit.values.ids import new_id
from orders.invoices.invoiced_orders import order_row
from orders.models import Invoice, InvoiceLine, InvoiceTax, Order, OrderAddress, OrderLineItem
from orders.states import InvoiceKind, InvoiceLineKind, InvoiceReason, PaymentStatus
from tests.factories.shop import RegionFactory, SalesChannelFactory

Taxes = tuple[tuple[str, str, str], ...]
"""Of each tax its code, its rate in percent, and its amount."""


def an_order(*, shipped_to: str | None = "de", billed_in: str | None = None, ships: bool = True) -> Order:
    """An order with addresses in these countries, and a single line. Its own figures are 0."""
    addresses = [code and OrderAddress.objects.create(country_code=code) for code in (shipped_to, billed_in)]
    made = Order.objects.create(
        cart_id=new_id("cart"),
        display_id=Order.objects.count() + 1,
        payment_status=PaymentStatus.CAPTURED,
        region=RegionFactory(),
        sales_channel=SalesChannelFactory(),
        currency_id="eur",
        original_order_total=0,
        shipping_address=addresses[0] or None,
        billing_address=addresses[1] or None,
    )
    OrderLineItem.objects.create(
        order=made, title="Mug", quantity=1, unit_price=0, requires_shipping=ships, is_tax_inclusive=False
    )
    return made


def document(
    order: Order,
    at: str,
    *lines: tuple[str, str, str, str],
    taxes: Taxes = (),
    kind: InvoiceKind = InvoiceKind.INVOICE,
    currency: str = "eur",
) -> Invoice:
    """A document of that moment in the shop's time zone.

    lines: category, combination, subtotal and tax of each. taxes: those of all lines with the combination of a tax,
    whose category is S; a combination of two taxes names both.
    """
    moment = aware(datetime.fromisoformat(at))
    amounts = [(category, combination, Decimal(net), Decimal(tax)) for category, combination, net, tax in lines]
    subtotal, tax_total = sum(one[2] for one in amounts), sum(one[3] for one in amounts)
    number = Invoice.objects.count() + 1
    made = Invoice.objects.create(
        kind=kind,
        series_year=moment.year,
        number=number,
        shown_number=f"R-{number}",
        order=order,
        reason=InvoiceReason.SALE,
        issued_at=moment,
        issued_on=localdate(moment),
        currency_id=currency,
        country_code=order_row(order.pk).country_code,
        seller={},
        buyer={},
        subtotal=subtotal,
        tax_total=tax_total,
        total=subtotal + tax_total,
    )
    shared: dict[str, Any] = {"invoice": made}
    for position, (category, combination, net, tax) in enumerate(amounts):
        InvoiceLine.objects.create(
            **shared, position=position, kind=InvoiceLineKind.GOODS, title="Mug", quantity=1, unit_price=net,
            is_tax_inclusive=False, discount_total=0, category=category, combination=combination, subtotal=net,
            tax_total=tax, total=net + tax,
        )  # fmt: skip
    for position, (code, rate, total) in enumerate(taxes):
        of_rate = [one for one in amounts if rate in one[1].split("+")]
        InvoiceTax.objects.create(
            **shared, position=position, category="S", combination=of_rate[0][1], code=code, description=f"{code} tax",
            rate=Decimal(rate), subtotal=sum(one[2] for one in of_rate), total=Decimal(total),
        )  # fmt: skip
    return made


def credit_note(order: Order, at: str, *lines: tuple[str, str, str, str], taxes: Taxes = (), **given: Any) -> Invoice:
    """The same, as a credit note."""
    return document(order, at, *lines, taxes=taxes, kind=InvoiceKind.CREDIT_NOTE, **given)
