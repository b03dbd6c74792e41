"""Carts and their lines."""

from collections.abc import Callable

from catalog.models import ProductVariant
from kit.values.ids import new_ulid
from tests.contract.routes.examples import Example, maintained
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


def _code_path() -> str:
    code = carts.promotion_code(code=new_ulid())
    return f"/admin/promotions/{code.promotion_id}/codes/{code.pk}"


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
    **maintained(
        "/admin/promotions",
        carts.PromotionFactory,
        {
            "code": "NEW",
            "type": "standard",
            "application_method": {"type": "percentage", "value": 10, "target_type": "order"},
        },
        {"status": "inactive"},
    ),
    "/admin/promotions/<str:id>/codes": Example(
        lambda: f"/admin/promotions/{carts.PromotionFactory().pk}/codes", {"create": {"codes": ["NEW"]}}
    ),
    "/admin/promotions/<str:id>/codes/batch": Example(
        lambda: f"/admin/promotions/{carts.PromotionFactory().pk}/codes/batch", {"batch": {"delete": []}}
    ),
    "/admin/promotions/<str:id>/codes/<str:code_id>": Example(_code_path),
    "/admin/promotions/<str:id>/<str:rule_type>": Example(
        lambda: f"/admin/promotions/{carts.PromotionFactory().pk}/rules"
    ),
    "/admin/promotions/<str:id>/<str:rule_type>/batch": Example(
        lambda: f"/admin/promotions/{carts.PromotionFactory().pk}/rules/batch",
        {"change": {"create": [{"attribute": "item_quantity", "operator": "gte", "values": "2"}]}},
    ),
    "/admin/promotions/rule-attribute-options/<str:rule_type>": Example(
        lambda: "/admin/promotions/rule-attribute-options/rules"
    ),
    "/admin/promotions/rule-value-options/<str:rule_type>/<str:attribute_id>": Example(
        lambda: "/admin/promotions/rule-value-options/rules/is_first_order"
    ),
    **maintained(
        "/admin/campaigns",
        carts.CampaignFactory,
        {"name": "New", "campaign_identifier": "new"},
        {"name": "Newer"},
        can_restore=False,
    ),
    "/admin/campaigns/<str:id>/promotions": Example(
        lambda: f"/admin/campaigns/{carts.CampaignFactory().pk}/promotions",
        {"change_promotions": lambda: {"add": [carts.PromotionFactory().pk]}},
    ),
}
