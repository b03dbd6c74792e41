"""What a draft costs, as its form shows it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from carts.models import Cart, CartPromotion, LineItem, ShippingMethod
from carts.pricing.tax_terms import TaxTerms, total_name
from kit.admin.lists.amounts import amount_cell, shown
from orders.admin.columns import status_name
from orders.admin.order_page.formatting import line_name
from orders.admin.order_page.items import Sum


@dataclass(frozen=True, slots=True)
class Figures:
    """sums: lines and amounts. notes: codes that take nothing off. key: all that the order would be made of."""

    sums: Sequence[Sum]
    notes: Sequence[str]
    total: str
    key: object


def figures_of(cart_id: str) -> Figures:
    """Those of the stored cart. Four statements."""
    cart = Cart.objects.select_related("shipping_address", "billing_address").get(pk=cart_id)
    lines = list(LineItem.objects.not_deleted().filter(cart=cart).order_by("pk"))
    methods = list(ShippingMethod.objects.not_deleted().filter(cart=cart).order_by("pk"))
    links = list(CartPromotion.objects.filter(cart=cart).select_related("promotion").order_by("pk"))
    addresses = [each and each.lines() for each in (cart.shipping_address, cart.billing_address)]
    key = (
        [(line.variant_id, line.title, line.quantity, line.unit_price, line.total) for line in lines],
        [(method.shipping_option_id, method.total) for method in methods],
        (cart.total, cart.email, cart.customer_id, cart.sales_channel_id, addresses),
    )
    skipped = [link for link in links if not link.is_applied]
    notes = [f"Code {link.entered} takes nothing off: {status_name(link.reason or '')}." for link in skipped]
    applied = [link.entered or link.promotion.code for link in links if link.is_applied]
    total = shown(cart.total, cart.currency_id)
    return Figures(list(_sums(cart, lines, methods, applied)), notes, total, key)


def _sums(
    cart: Cart, lines: Sequence[LineItem], methods: Sequence[ShippingMethod], codes: Sequence[str]
) -> Iterator[Sum]:
    terms, code = TaxTerms.of(lines), cart.currency_id
    for line in lines:
        each = f"{line.quantity} x {line_name(line)} at {shown(line.unit_price, code)}"
        own = TaxTerms(line.is_tax_inclusive)
        yield Sum(each if own == terms else f"{each} {own}", amount_cell(terms.before_discounts(line), code))
    for method in methods:
        yield Sum(f"Shipping: {method.name}", amount_cell(terms.before_discounts(method), code))
    if cart.discount_total:
        named = f"Discounts ({', '.join(codes)})" if codes else "Discounts"
        yield Sum(named, amount_cell(-terms.discount(cart), code))
    is_exempt = bool(lines) and all(line.exempt_rate is not None for line in lines)
    taxes = Sum("Taxes included" if terms.is_tax_inclusive else "Taxes", amount_cell(cart.tax_total, code))
    total = Sum(total_name(is_tax_exempt=is_exempt), amount_cell(cart.total, code), is_total=True)
    yield from (total, taxes) if terms.is_tax_inclusive else (taxes, total)
