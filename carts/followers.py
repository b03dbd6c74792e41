"""What must follow a changed cart, in the same transaction and by explicit ranks.

An app further up enters its part in AppConfig.ready():

    followers.enter(Follower(rank=followers.SHIPPING_METHODS, follow=settle_shipping_methods))
"""

from collections.abc import Callable
from dataclasses import dataclass

from django.core.exceptions import ImproperlyConfigured

from carts.open_cart import OpenCart

SHIPPING_METHODS, CREDIT_LINES, PAYMENT_COLLECTION = 10, 20, 30
"""The ranks: shipping follows the goods, credit lines pay for both, the collection's amount is what is left."""


@dataclass(frozen=True, slots=True)
class Follower:
    """follow: gets the cart, which is written and added up by then; says whether it changed what that depends on."""

    rank: int
    follow: Callable[[OpenCart], bool]


def enter(follower: Follower) -> None:
    """Add a follower. Raises ImproperlyConfigured for a rank that is taken."""
    if follower.rank in [other.rank for other in _followers]:
        raise ImproperlyConfigured(f"The rank {follower.rank} of the carts' followers is taken")
    _followers.append(follower)
    _followers.sort(key=lambda each: each.rank)


def follow(cart: OpenCart, *, add_up: Callable[[int], None]) -> None:
    """Let all follow, lower ranks first; the cart is added up anew behind each that changed something.

    add_up: gets the rank of the one that did.
    """
    for follower in _followers:
        if follower.follow(cart):
            add_up(follower.rank)


_followers: list[Follower] = []
