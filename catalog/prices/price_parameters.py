"""The request parameters that determine the price context, and their precedence.

The route's own parameters come first, the store's default region last. `commerce/wiring.py` adds the sources between.
The buyer is the customer of the cart in `cart_id`, else the signed-in customer, whichever parameter names the place.
Prices for the buyer and for the buyer's groups apply, and so do their exemptions from taxes.
Why: docs/decisions/catalogue.md#the-catalogue-shows-what-a-cart-charges.
"""

from collections.abc import Callable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, NamedTuple

from django.core.exceptions import ImproperlyConfigured

from catalog.prices import price_context
from catalog.prices.price_context import PriceContext
from catalog.prices.price_rules import Attributes
from catalog.rule_attributes import CUSTOMER, GROUPS
from kit.domain.actor import Actor
from kit.domain.hooks import Wired
from shop.taxes import Exemption

Given = Mapping[str, str]
"""The parameters that the caller sent, as raw texts."""

BUYER = Wired[Callable[[str], tuple[tuple[str, ...], Sequence[Exemption]]]](
    "the ids of a customer's groups, and the exemptions of both"
)


class Buyer(NamedTuple):
    """Who buys: what price rules compare of them, and their exemptions from taxes."""

    attributes: Attributes
    exemptions: Sequence[Exemption]


NOBODY = Buyer({}, ())
"""A buyer of whom nothing is known."""


@dataclass(frozen=True, slots=True)
class Source:
    """A source of price contexts.

    rank: the source with the lowest rank takes precedence. parameters: their names and public descriptions.
    find: returns the context for the source's parameters, at least one of which was sent, or None if they do not affect
        prices. Raises DomainError for an invalid one.
    names_buyer: whether that context is for a buyer of its own, such as a cart's customer, also if another source
        takes precedence for the place.
    """

    rank: int
    parameters: Mapping[str, str]
    find: Callable[[Given, Actor], PriceContext | None]
    names_buyer: bool = False


class RequestedPrices:
    """The context of one request, found at most once for any number of relations."""

    def __init__(self, given: Given, actor: Actor) -> None:
        self._given = given
        self._actor = actor

    @cached_property
    def context(self) -> PriceContext | None:
        """The context with its buyer. None without a region from the request or the store: no price applies."""
        found, buyer = self.context_and_buyer
        if found is None:
            return None
        known = _buyer_of(self._actor) if buyer is None else buyer
        if known is NOBODY:
            return found
        return replace(found, attributes={**found.attributes, **known.attributes}, exemptions=known.exemptions)

    @cached_property
    def context_and_buyer(self) -> tuple[PriceContext | None, Buyer | None]:
        """The context for the parameters, else the store's; then the buyer, None if no parameter names one."""
        found, buyer = list[PriceContext](), None
        for source in _sources:
            own = {name: self._given[name] for name in source.parameters if name in self._given}
            if own and (context := source.find(own, self._actor)):
                found.append(context)
                if source.names_buyer and buyer is None:
                    known = {name: context.attributes[name] for name in _BUYER if name in context.attributes}
                    buyer = Buyer(known, context.exemptions)
        return found[0] if found else price_context.of_store(), buyer


def add_source(source: Source) -> None:
    """Add a source. Raises ImproperlyConfigured if its rank or one of its parameters is taken."""
    taken = [name for name in source.parameters if name in _descriptions]
    if taken or source.rank in [other.rank for other in _sources]:
        raise ImproperlyConfigured(f"The price source of rank {source.rank} is taken, or its parameters are: {taken}")
    _sources.append(source)
    _sources.sort(key=lambda each: each.rank)
    _descriptions.update(source.parameters)


def parse(given: Given, actor: Actor) -> Mapping[str, RequestedPrices]:
    """The `Batch.context` for loaders; see context_of.

    Parameters that were sent are looked up now, so that invalid ones are refused even if no price is selected;
    otherwise nothing is read before it is needed. Raises InvalidData, naming the parameter.
    """
    known = defer(given, actor)
    if given:
        _ = requested(known).context_and_buyer
    return known


def defer(given: Given, actor: Actor) -> Mapping[str, RequestedPrices]:
    """The `Batch.context` for loaders; nothing is read or refused before a price is selected."""
    return {_KEY: RequestedPrices(given, actor)}


def context_of(known: MutableMapping[str, Any], actor: Actor) -> PriceContext | None:
    """The context of a batch: `context_of(batch.context, batch.actor)`. It is found once for all batches of a response.

    Routes without these parameters use the default region.
    """
    if _KEY not in known:
        known.update(defer({}, actor))
    return requested(known).context


def requested(known: Mapping[str, Any]) -> RequestedPrices:
    """What `parse` or `defer` has put there."""
    prices: RequestedPrices = known[_KEY]
    return prices


def _buyer_of(actor: Actor) -> Buyer:
    """The signed-in customer, in one statement; nobody for all others."""
    if actor.type != "customer" or actor.id is None:
        return NOBODY
    groups, exemptions = BUYER.get()(actor.id)
    return Buyer({CUSTOMER: actor.id, GROUPS: groups}, exemptions)


def _of_route(given: Given, actor: Actor) -> PriceContext:
    return price_context.find(
        region_id=given.get("region_id"),
        country_code=given.get("country_code"),
        province=given.get("province"),
        currency_code=given.get("currency_code"),
    )


_KEY = "prices"
_BUYER = (CUSTOMER, GROUPS)
_sources: list[Source] = []
_descriptions: dict[str, str] = {}

PARAMETERS: Mapping[str, str] = MappingProxyType(_descriptions)
"""All parameters that determine the price context, with their public descriptions; `add_source` adds to it."""

add_source(
    Source(
        rank=0,
        parameters={
            "region_id": "The region whose prices and taxes are shown.",
            "country_code": "The buyer's country, ISO 3166-1 alpha-2, for the prices of its region and its taxes.",
            "province": "The buyer's province, ISO 3166-2, for its taxes; the full code if country_code is left out.",
            "currency_code": "The currency of the prices, ISO 4217; on its own, prices without a region and taxes.",
        },
        find=_of_route,
    )
)
