"""The taxes on what a change adds to an order: those of the country's tax provider, or else the shop's own.

The provider is called outside the transaction, and its answer is stored with the action.
Why: docs/decisions/order-changes.md#a-tax-provider-is-asked-about-what-is-added.
"""

from collections.abc import Sequence
from datetime import timedelta
from functools import partial
from typing import NamedTuple

import structlog
from django.conf import settings

from carts.pricing.cart_context import CartContext
from carts.states import TaxFallback
from kit.database import reruns
from kit.values.money import major, stored
from kit.values.timestamps import now
from kit.writes import raw_rows
from orders.common.order_context import order_context
from orders.models import Order, OrderChangeAction
from shop.taxes import ApplicableTax, Goods
from taxes.providers.base import TaxedGoods, TaxRequest
from taxes.quotes.provider_calls import request_unstored
from taxes.quotes.quote_requests import TaxAddresses, provider_in, request_digest
from taxes.quotes.stored_quotes import Quote

log = structlog.get_logger(__name__)

ANSWERS_LAST = timedelta(days=1)
FAILURES_LAST = timedelta(hours=1)


class Added(NamedTuple):
    """A line or shipping method to come. unit_price: as it is stated, in 1/10,000."""

    goods: Goods
    quantity: int
    unit_price: int
    is_tax_inclusive: bool


class _Provided(NamedTuple):
    """taxes: on each of the goods; None for the shop's own, and fallback says why if a provider should have said."""

    taxes: Sequence[Sequence[ApplicableTax]] | None = None
    fallback: TaxFallback | None = None

    @property
    def columns(self) -> dict[str, object]:
        is_own = self.taxes is None and self.fallback is None
        return {"taxed_at": None if is_own else now(), "tax_fallback": self.fallback and self.fallback.value}


def tax_columns(order: Order, context: CartContext, added: Sequence[Added]) -> list[dict[str, object]]:
    """The columns of an action for each. An exempt order pays none, even if the customer no longer is exempt.

    Raises RerunRequired where the provider has to be called first. At most two statements, and two for a provider.
    """
    own = context.tax_place.taxes_on([each.goods for each in added])
    if order.is_tax_exempt:
        return [{"taxes": [], "exempt_rate": sum(tax.rate for tax in taxes)} for taxes in own]
    provided = _provided(order, context, added)
    taxes = own if provided.taxes is None else provided.taxes
    return [{"taxes": [list(tax) for tax in each], "exempt_rate": None, **provided.columns} for each in taxes]


def renew_taxes(order: Order, actions: Sequence[OrderChangeAction]) -> None:
    """Ask the provider again about what was added more than a day ago, or without an answer an hour ago.

    What was stored stays if it does not respond. Raises RerunRequired, as `tax_columns` does. At most four statements,
    none if nothing is that old.
    """
    old = [action for action in actions if _is_old(action)] if settings.TAX_PROVIDERS else []
    if not old:
        return
    provided = _provided(order, order_context(order.pk), [_added(action) for action in old])
    if provided.taxes is None:
        log.warning("taxes_not_renewed", order=order.pk, reason=provided.fallback)
        return
    for action, taxes in zip(old, provided.taxes, strict=True):
        action.taxes, action.tax_fallback = [list(tax) for tax in taxes], None
    raw_rows.update(OrderChangeAction, [{"id": action.pk, "taxes": action.taxes, **provided.columns} for action in old])


def _is_old(action: OrderChangeAction) -> bool:
    lasts = FAILURES_LAST if action.tax_fallback else ANSWERS_LAST
    return action.taxed_at is not None and action.taxed_at <= now() - lasts


def _added(action: OrderChangeAction) -> Added:
    price = action.amount if action.unit_price is None else action.unit_price
    told = action.described
    goods = Goods(told.get("product_id"), told.get("product_type_id"), action.shipping_option_id)
    return Added(goods, action.quantity or 1, stored(price), action.is_tax_inclusive)


def _provided(order: Order, context: CartContext, added: Sequence[Added]) -> _Provided:
    country = context.tax_place.country_code
    provider_id = provider_in(country) if settings.TAX_PROVIDERS and country else None
    if provider_id is None:
        return _Provided()
    address = _ADDRESSES.of(context)
    if address is None:
        return _Provided(fallback=TaxFallback.NO_POSTAL_CODE)
    goods = tuple(
        TaxedGoods(
            each.goods.product_id,
            each.goods.product_type_id,
            each.goods.shipping_option_id,
            each.quantity,
            major(each.unit_price * each.quantity),
            each.is_tax_inclusive,
        )
        for each in added
    )
    request = TaxRequest(order.currency_id, address, goods, context.account_id, order.tax_number)
    key = request_digest(provider_id, request)
    quote = reruns.result_of(key)
    if not isinstance(quote, Quote):
        reruns.rerun_after(key, partial(request_unstored, provider_id, request, order=order.pk))
        return _Provided(fallback=TaxFallback.NOT_CALLED)
    return _Provided(None if quote.rates is None else quote.taxes(provider_id), quote.fallback)


_ADDRESSES = TaxAddresses(Order.objects.all)
