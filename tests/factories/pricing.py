"""Prices and price lists for tests."""

from collections.abc import Mapping, Sequence
from typing import Any

import factory

from catalog.models import Price, PriceList, PriceListRule, PriceRule, PriceSet, ProductVariant
from catalog.states import PriceListStatus, RuleOperator
from shop.models import Region

Rules = Mapping[str, str | tuple[str, str]]
"""Values by attribute, `{"region_id": "reg_1"}`; with an operator `{"item_total": ("gte", "100")}`."""


class PriceListFactory(factory.django.DjangoModelFactory[PriceList]):
    """An active sale without dates. rules={attribute: [texts]} are its conditions."""

    title = factory.Sequence(lambda number: f"Sale {number}")
    status = PriceListStatus.ACTIVE

    class Meta:
        model = PriceList
        skip_postgeneration_save = True

    @factory.post_generation
    def rules(self: PriceList, create: bool, rules: Mapping[str, Sequence[str]] | None, **_: Any) -> None:
        for attribute, values in (rules or {}).items():
            PriceListRule.objects.create(price_list=self, attribute=attribute, value=list(values))


def price(
    of: ProductVariant | PriceSet,
    amount: Any,
    currency_code: str = "usd",
    *,
    region: Region | None = None,
    price_list: PriceList | None = None,
    min_quantity: int | None = None,
    max_quantity: int | None = None,
    rules: Rules | None = None,
) -> Price:
    """A price of the variant or price set; `region` makes it that region's own, by a rule."""
    price_set = of if isinstance(of, PriceSet) else of.price_set
    made = Price.objects.create(
        price_set=price_set,
        amount=amount,
        currency_id=currency_code,
        price_list=price_list,
        min_quantity=min_quantity,
        max_quantity=max_quantity,
    )
    own: Rules = {"region_id": region.pk} if region else {}
    for attribute, rule in {**own, **(rules or {})}.items():
        operator, value = (RuleOperator.EQUAL, rule) if isinstance(rule, str) else rule
        PriceRule.objects.create(price=made, attribute=attribute, operator=operator, value=value)
    return made
