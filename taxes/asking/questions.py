"""What a tax provider is asked about a cart, and the digest of it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import orjson

from carts.models import Cart
from carts.pricing.costs import Costs
from carts.pricing.locked_cart import LockedCart
from kit.reads.sql.keyed_rows import KeyedRows
from kit.safety.keyed_digests import keyed_digest
from kit.values import money
from taxes.models import TaxRegion
from taxes.providers.base import TaxAddress, TaxedGoods, TaxRequest

_PURPOSE = "taxes.answers"


@dataclass(frozen=True, slots=True)
class Question:
    """places: of the goods among the lines and methods of the cart, which owe no tax elsewhere. digest: keyed."""

    cart_id: str
    provider_id: str
    request: TaxRequest
    places: tuple[int, ...]
    digest: str


def question_of(cart: LockedCart, costs: Costs) -> Question | None:
    """What to ask about a cart; None if the shop's own rates hold. Two statements, one if no provider is asked.

    costs: with the shop's own rates. They hold for a cart without a country, a postal code or taxed goods.
    """
    context = cart.context
    if context is None or not (context.destination.country_code and context.destination.postal_code):
        return None
    provider_id = next((found for (found,) in _PROVIDERS.read([context.destination.country_code])), None)
    goods = dict(_goods(cart, costs))
    if provider_id is None or not goods:
        return None
    request = TaxRequest(
        context.price_context.currency_code, _address_of(cart.id), tuple(goods.values()), context.account_id
    )
    basis = orjson.dumps([provider_id, request], default=str).decode()
    return Question(cart.id, provider_id, request, tuple(goods), keyed_digest(_PURPOSE, basis))


def _goods(cart: LockedCart, costs: Costs) -> Iterator[tuple[int, TaxedGoods]]:
    """What owes tax, by its place."""
    for place, (line, cost) in enumerate(zip(cart.lines, costs.lines, strict=True)):
        if not line.is_giftcard:
            is_inclusive = bool(line.is_tax_inclusive)
            stated = money.major(cost.total if is_inclusive else cost.total - cost.tax_total)
            yield place, TaxedGoods(line.product_id, line.type_id, None, line.quantity, stated, is_inclusive)
    for place, method in enumerate(cart.methods, len(cart.lines)):
        stated, is_inclusive = money.major(method.amount), bool(method.is_tax_inclusive)
        yield place, TaxedGoods(None, None, method.shipping_option_id, 1, stated, is_inclusive)


class _AddressRow(NamedTuple):
    shipping_address__country_code: str
    shipping_address__postal_code: str
    shipping_address__province: str | None
    shipping_address__city: str | None
    shipping_address__address_1: str | None
    shipping_address__address_2: str | None


def _address_of(cart_id: str) -> TaxAddress:
    (row,) = _ADDRESSES.read([cart_id])
    return TaxAddress(*row)


_ADDRESSES = KeyedRows(Cart.objects.all, key="id", row=_AddressRow)
_PROVIDERS = KeyedRows(
    lambda: TaxRegion.objects.filter(province=None, deleted_at=None, provider_id__isnull=False),
    key="country_id",
    columns=("provider_id",),
)
