"""The taxes of a tax provider on a cart; the taxes app calls it (taxes/quotes)."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from carts.states import TaxFallback
from shop.taxes import ApplicableTax


class ProvidedTaxes(NamedTuple):
    """The provider's taxes in place of the shop's own.

    taxes: on each line, then on each method; None for the shop's own. fallback: why the shop's own rates
    apply instead. ask: calls the provider and reruns the transaction, if possible; None if no call is needed.
    """

    taxes: Sequence[Sequence[ApplicableTax]] | None = None
    fallback: TaxFallback | None = None
    ask: Callable[[], None] | None = None


NO_PROVIDER = ProvidedTaxes()
"""The shop's own rates apply, as usual."""
