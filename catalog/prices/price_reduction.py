"""The verb that fills a price list with reduced prices of products."""

from collections.abc import Collection
from decimal import Decimal

from django.db import transaction
from django.db.models import QuerySet

from catalog.models import Price, PriceList
from catalog.prices import price_editing
from catalog.prices.price_editing import PriceState
from catalog.prices.price_terms import rules_of, terms_of
from kit.database.locking import lock_rows
from kit.domain.actor import Actor
from kit.errors import InvalidData
from kit.values.money import rounded

MOST_PRICES = 2_000
"""In one call, which is one transaction."""


@transaction.atomic
def reduce(*, actor: Actor, price_list_id: str, product_ids: Collection[str], percent: Decimal) -> int:
    """Add the products' prices to the list, less the percentage; all products' if none is named. Returns how many.

    Prices keep their currency, quantities and rules, and are rounded half-up to the currency's digits. Where the list
    has a price with the same ones, its amount is changed. The number of statements does not depend on that of the
    prices.

    Raises InvalidData for a percentage that is not above 0 and below 100, without any price, and for more than
    MOST_PRICES; NotFound, RowsRefused, Forbidden.
    """
    if not 0 < percent < 100:
        raise InvalidData("The percentage must be above 0 and below 100.")
    prices = list(_regular(product_ids)[: MOST_PRICES + 1])
    if not prices:
        raise InvalidData("These products have no prices to reduce.")
    if len(prices) > MOST_PRICES:
        raise InvalidData(f"At most {MOST_PRICES:,} prices can be reduced at once: choose fewer products.")
    lock_rows(PriceList.objects.filter(pk=price_list_id))
    sets = {price.price_set_id for price in prices}
    listed = Price.objects.not_deleted().filter(price_list=price_list_id, price_set__in=sets).prefetch_related("rules")
    stored = {(price.price_set_id, terms_of(price)): price.pk for price in listed}
    regular = {(price.price_set_id, terms_of(price)): price for price in prices}
    states = [_reduced(price, price_list_id, percent, stored.get(key)) for key, price in regular.items()]
    price_editing.VERBS.put(actor=actor, states=states)
    return len(states)


def _regular(product_ids: Collection[str]) -> QuerySet[Price]:
    """The prices of the products' variants outside of price lists."""
    prices: QuerySet[Price] = Price.objects.not_deleted().filter(
        price_list=None, price_set__variant__deleted_at=None, price_set__variant__product__deleted_at=None
    )
    prices = prices.filter(price_set__variant__isnull=False)
    if product_ids:
        prices = prices.filter(price_set__variant__product__in=product_ids)
    return prices.order_by("pk").prefetch_related("rules")


def _reduced(price: Price, price_list_id: str, percent: Decimal, stored_id: str | None) -> PriceState:
    amount = rounded(price.amount * (100 - percent) / 100, price.currency_id)
    if stored_id is not None:
        return PriceState(id=stored_id, amount=amount)
    return PriceState(
        price_set_id=price.price_set_id,
        price_list_id=price_list_id,
        currency_id=price.currency_id,
        amount=amount,
        min_quantity=price.min_quantity,
        max_quantity=price.max_quantity,
        rules=rules_of(price),
    )
