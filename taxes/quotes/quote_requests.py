"""What is sent to a tax provider for a cart, and the digest of it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from typing import Any

import orjson
from django.db.models import QuerySet

from carts.models import Cart
from carts.pricing.cart_context import CartContext
from carts.pricing.costs import Costs
from carts.pricing.locked_cart import LockedCart
from carts.states import TaxFallback
from kit.reads.sql.keyed_rows import KeyedRows
from kit.safety.keyed_digests import keyed_digest
from kit.values import money
from taxes.models import TaxRegion
from taxes.providers.base import TaxAddress, TaxedGoods, TaxRequest

_PURPOSE = "taxes.quotes"


@dataclass(frozen=True, slots=True)
class QuoteRequest:
    """positions: of the goods among the cart's lines, then methods; the others are not taxed.

    digest: keyed, so that it reveals no address.
    """

    cart_id: str
    provider_id: str
    tax_request: TaxRequest
    positions: tuple[int, ...]
    digest: str


def quote_request_of(cart: LockedCart, costs: Costs) -> QuoteRequest | TaxFallback | None:
    """What to send to the cart's tax provider, or why it cannot be called. One or two queries.

    None if there is nothing to ask: without a provider, a country or taxable goods, and for exempt customers.
    costs: at the shop's own rates.
    """
    context = cart.context
    if context is None or context.tax_place.country_code is None or context.price_context.is_tax_exempt:
        return None
    provider_id = provider_in(context.tax_place.country_code)
    goods = dict(_goods(cart, costs))
    if provider_id is None or not goods:
        return None
    address = _ADDRESSES.of(context)
    if address is None:
        return TaxFallback.NO_POSTAL_CODE
    currency_code, customer_id = context.price_context.currency_code, context.account_id
    request = TaxRequest(currency_code, address, tuple(goods.values()), customer_id, context.tax_number)
    return QuoteRequest(cart.id, provider_id, request, tuple(goods), request_digest(provider_id, request))


def request_digest(provider_id: str, request: TaxRequest) -> str:
    """A digest of what is sent; keyed, so that it reveals no address."""
    return keyed_digest(_PURPOSE, orjson.dumps([provider_id, request], default=str).decode())


def _goods(cart: LockedCart, costs: Costs) -> Iterator[tuple[int, TaxedGoods]]:
    """The taxable goods, by position."""
    for position, (line, cost) in enumerate(zip(cart.lines, costs.lines, strict=True)):
        if not line.is_giftcard:
            is_inclusive = bool(line.is_tax_inclusive)
            stated = money.major(cost.total if is_inclusive else cost.total - cost.tax_total)
            yield position, TaxedGoods(line.product_id, line.type_id, None, line.quantity, stated, is_inclusive)
    for position, method in enumerate(cart.methods, len(cart.lines)):
        stated, is_inclusive = money.major(method.amount), bool(method.is_tax_inclusive)
        yield position, TaxedGoods(None, None, method.shipping_option_id, 1, stated, is_inclusive)


def provider_in(country_code: str) -> str | None:
    """The id of the country's tax provider. One statement."""
    return next((found for (found,) in _PROVIDERS.read([country_code])), None)


class TaxAddresses:
    """The addresses at which carts, or orders, are taxed."""

    def __init__(self, rows: Callable[[], QuerySet[Any]]) -> None:
        self._of_kinds = [
            KeyedRows(rows, key="id", columns=[f"{address}__{each.name}" for each in fields(TaxAddress)])
            for address in ("shipping_address", "billing_address")
        ]

    def of(self, context: CartContext) -> TaxAddress | None:
        """That of the context's cart; None without a country and a postal code. One statement."""
        (row,) = self._of_kinds[context.is_taxed_at_billing].read([context.cart_id])
        return TaxAddress(*row) if row[0] and row[1] else None


_ADDRESSES = TaxAddresses(Cart.objects.all)
_PROVIDERS = KeyedRows(
    lambda: TaxRegion.objects.filter(province=None, deleted_at=None, provider_id__isnull=False),
    key="country_id",
    columns=("provider_id",),
)
