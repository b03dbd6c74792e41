"""What follows a changed cart in the apps above this one; `refresh` calls it, and `commerce/wiring.py` supplies it."""

from collections.abc import Callable
from dataclasses import dataclass

from carts.pricing.costs import Costs
from carts.pricing.locked_cart import LockedCart
from carts.pricing.provided_taxes import ProvidedTaxes
from kit.domain.hooks import Wired


@dataclass(frozen=True, slots=True, kw_only=True)
class CartSteps:
    """Each gets the cart, whose totals are up to date but for the first, in the transaction of the change.

    provided_taxes: returns the tax provider's taxes for the cart, given its costs at the shop's own rates.
    shipping_methods: drops and reprices shipping methods. Returns whether any changed.
    credit_lines: spreads what is due over gift cards and store credit. Returns whether any amount changed.
    payment_collection: asks for the remaining amount.
    """

    provided_taxes: Callable[[LockedCart, Costs], ProvidedTaxes]
    shipping_methods: Callable[[LockedCart], bool]
    credit_lines: Callable[[LockedCart], bool]
    payment_collection: Callable[[LockedCart], None]


CART_STEPS = Wired[CartSteps]("the steps that follow a changed cart")
