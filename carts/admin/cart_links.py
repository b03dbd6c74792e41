"""Links to carts.

A cart's id opens it for everybody, so it stands only in the link's address. A cart's name contains the customer's
email address, so only users who may open carts see it.
"""

from collections.abc import Collection, Mapping

from django.http import HttpRequest

from carts.models import Cart
from kit.admin.lists.row_link import opening_link


def cart_links(request: HttpRequest, cart_ids: Collection[str]) -> Mapping[str, str]:
    """The links by id; "A cart" for users who may not open carts, "A draft order" for all. At most one statement."""
    carts = Cart.objects.filter(pk__in=set(cart_ids))
    return {
        cart.pk: "A draft order" if cart.is_draft else opening_link(request, cart, closed="A cart") for cart in carts
    }
