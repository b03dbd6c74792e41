"""The interface to the taxes app (taxes/rates), which says which taxes apply to goods in a place."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

import orjson
from django.utils.timezone import localdate

from kit.domain.hooks import Wired


class Goods(NamedTuple):
    """What a tax rate can be for: a product of a type, or a shipping option. Gift cards are not taxed."""

    product_id: str | None = None
    product_type_id: str | None = None
    shipping_option_id: str | None = None
    is_giftcard: bool = False


UNNAMED = "Tax"
"""The name of a region's own rate, and of taxes on orders of older versions."""


OWN_RATES = "system"
"""The provider of taxes by the shop's own rates."""


class ApplicableTax(NamedTuple):
    """A tax that applies. rate: in 1/10,000 percent. tax_rate_id: None for the region's own rate."""

    rate: int
    code: str
    tax_rate_id: str | None = None
    description: str | None = None
    provider_id: str = OWN_RATES


class Exemption(NamedTuple):
    """Whether a customer or customer group is exempt from taxes: the raw columns of its row.

    tax_exempt_countries: null for all countries. tax_exempt_until: the last day; null if it does not end.
    Why: docs/decisions/taxes.md#exemptions-are-checked-at-each-refresh.
    """

    is_tax_exempt: bool | None
    tax_exempt_countries: str | None
    tax_exempt_until: object

    def holds_in(self, country_code: str | None) -> bool:
        """Whether it holds there today. In an unknown country it holds only if it does everywhere."""
        if not self.is_tax_exempt:
            return False
        if self.tax_exempt_until is not None and str(self.tax_exempt_until) < localdate().isoformat():
            return False
        countries = orjson.loads(self.tax_exempt_countries or "null")
        return not countries or country_code in countries


class TaxesInPlace(Protocol):
    """The taxes of one place; what was read once is kept."""

    def applicable(self, goods: Sequence[Goods]) -> list[Sequence[ApplicableTax]]:
        """The taxes on each of the goods: that of the country before that of the province."""


@dataclass(slots=True)
class TaxPlace:
    """Where goods are taxed. Codes are lower-case.

    region_rate: of the region, in 1/10,000 percent: it applies where no other does. country_code: None if unknown.
    """

    region_rate: int
    country_code: str | None = None
    province: str | None = None
    _taxes: TaxesInPlace | None = field(default=None, init=False, repr=False, compare=False)

    def taxes_on(self, goods: Sequence[Goods]) -> list[Sequence[ApplicableTax]]:
        """The taxes on each of the goods. One statement at first, and one where rates are for certain goods."""
        if self._taxes is None:
            self._taxes = TAXES_IN.get()(self)
        return self._taxes.applicable(goods)


TAXES_IN = Wired[Callable[[TaxPlace], TaxesInPlace]]("the taxes of a place")
