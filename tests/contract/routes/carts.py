"""Carts and their lines."""

from collections.abc import Callable

from catalog.models import ProductVariant
from tests.contract.routes.examples import Example
from tests.factories import carts

SOLD = "variant_01SOLD"


def cart_path(suffix: str = "") -> Callable[[], str]:
    return lambda: f"/store/carts/{carts.cart(region_id=carts.selling_region().pk).pk}{suffix}"


def _line_path() -> str:
    """A line that stock does not limit, in a cart of its own."""
    cart = carts.cart(carts.sold_variant())
    return f"/store/carts/{cart.pk}/line-items/{cart.items.get().pk}"


def _filled_path() -> str:
    """The lines of a cart that can take the example's variant."""
    if not ProductVariant.objects.filter(pk=SOLD).exists():
        carts.sold_variant(id=SOLD)
    return f"{cart_path()()}/line-items"


def _first_cart_path() -> str:
    carts.default_region()
    return "/store/carts"


EXAMPLES = {
    "/store/carts": Example(_first_cart_path, {"create": {"email": "a@example.com", "metadata": {"a": 1}}}),
    "/store/carts/<str:id>": Example(cart_path(), {"change": {"email": "a@example.com"}}),
    "/store/carts/<str:id>/line-items": Example(_filled_path, {"add": {"variant_id": SOLD, "quantity": 2}}),
    "/store/carts/<str:id>/line-items/<str:line_id>": Example(_line_path, {"change": {"quantity": 3}}),
    "/store/carts/<str:id>/promotions": Example(
        cart_path("/promotions"), {"add": {"promo_codes": []}, "remove": {"promo_codes": ["SAVE"]}}
    ),
    "/store/carts/<str:id>/customer": Example(cart_path("/customer")),
    "/store/carts/<str:id>/taxes": Example(cart_path("/taxes")),
}
