"""What a tax provider says of a cart; the taxes app asks it (taxes/asking)."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from carts.states import OwnTaxes
from shop.taxes import OwedTax


class ProvidedTaxes(NamedTuple):
    """The provider's taxes in place of the shop's own.

    taxes: on each line, then on each method; None for the shop's own. because: why those stand in for the provider's.
    ask: lets the transaction start again with the provider's answer, where that is possible; None if it is not asked.
    """

    taxes: Sequence[Sequence[OwedTax]] | None = None
    because: OwnTaxes | None = None
    ask: Callable[[], None] | None = None


NO_PROVIDER = ProvidedTaxes()
"""The shop's own rates apply, as usual."""
