"""What a tax provider says of a cart; the taxes app asks it (taxes/quotes)."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from carts.states import TaxFallback
from shop.taxes import ApplicableTax


class ProvidedTaxes(NamedTuple):
    """The provider's taxes in place of the shop's own.

    taxes: on each line, then on each method; None for the shop's own. fallback: why those stand in for the provider's.
    ask: lets the transaction start again with the provider's answer, where that is possible; None if it is not asked.
    """

    taxes: Sequence[Sequence[ApplicableTax]] | None = None
    fallback: TaxFallback | None = None
    ask: Callable[[], None] | None = None


NO_PROVIDER = ProvidedTaxes()
"""The shop's own rates apply, as usual."""
