"""The parameters of a request that say for whom prices are, and which of them decides.

The route's own come first, the store's default region last. `commerce/wiring.py` enters what lies between.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any

from django.core.exceptions import ImproperlyConfigured

from catalog import price_context
from catalog.price_context import PriceContext
from commerce.kit.core.actor import Actor

Given = Mapping[str, str]
"""Parameters that the caller sent, as raw texts."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where a context can come from.

    rank: lower ones decide before higher ones. parameters: their names, and what each says to callers.
    find: makes the context of the source's own parameters, of which one at least was sent; None where they say nothing
        of prices. Raises DomainError for a bad one.
    """

    rank: int
    parameters: Mapping[str, str]
    find: Callable[[Given, Actor], PriceContext | None]


class AskedPrices:
    """The context of one request, found once at most however many relations need it."""

    def __init__(self, given: Given, actor: Actor) -> None:
        self._given = given
        self._actor = actor

    @cached_property
    def context(self) -> PriceContext | None:
        """None where the request names no region and the store has no default one: no price applies."""
        found = []
        for source in _sources:
            own = {name: self._given[name] for name in source.parameters if name in self._given}
            if own:
                found.append(source.find(own, self._actor))
        return next((context for context in found if context), None) or price_context.of_store()


def enter(source: Source) -> None:
    """Add a source. Raises ImproperlyConfigured for a rank or parameter that is taken."""
    taken = [name for name in source.parameters if name in _descriptions]
    if taken or source.rank in [other.rank for other in _sources]:
        raise ImproperlyConfigured(f"The price source of rank {source.rank} is taken, or its parameters are: {taken}")
    _sources.append(source)
    _sources.sort(key=lambda each: each.rank)
    _descriptions.update(source.parameters)


def understood(given: Given, actor: Actor) -> Mapping[str, Any]:
    """What loaders find in `Batch.context`; see context_of.

    Parameters that were sent are looked up now, so that bad ones are refused whether or not a price is asked for;
    otherwise nothing is read before it is needed. Raises InvalidData, naming the parameter.
    """
    known = asked(given, actor)
    if given:
        _ = known[_KEY].context
    return known


def asked(given: Given, actor: Actor) -> Mapping[str, Any]:
    """What loaders find in `Batch.context`; nothing is read, nor refused, before a price is asked for."""
    return {_KEY: AskedPrices(given, actor)}


def context_of(known: Mapping[str, Any]) -> PriceContext | None:
    """The context of a batch: `context_of(batch.context)`. A route that takes no parameters sells at the default."""
    prices: AskedPrices | None = known.get(_KEY)
    return prices.context if prices else price_context.of_store()


def _of_route(given: Given, actor: Actor) -> PriceContext:
    return price_context.find(
        region_id=given.get("region_id"),
        country_code=given.get("country_code"),
        province=given.get("province"),
        currency_code=given.get("currency_code"),
    )


_KEY = "prices"
_sources: list[Source] = []
_descriptions: dict[str, str] = {}

PARAMETERS: Mapping[str, str] = MappingProxyType(_descriptions)
"""Every parameter that says for whom prices are, and what it says to callers; it grows by `enter`."""

enter(
    Source(
        rank=0,
        parameters={
            "region_id": "The region whose prices and taxes are shown.",
            "country_code": "The buyer's country, ISO 3166-1 alpha-2: its region's prices, its own taxes.",
            "province": "The buyer's province, ISO 3166-2, for its taxes; without country_code the whole code.",
            "currency_code": "The currency of the prices, ISO 4217; alone it shows prices without a region or taxes.",
        },
        find=_of_route,
    )
)
