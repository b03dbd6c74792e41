"""Draft orders and their changes."""

from collections.abc import Callable

from carts.models import Cart
from orders.drafts import items, lifecycle, shipping
from orders.drafts.items import DraftItem
from orders.models import OrderChangeAction
from tests.contract.routes.examples import Example
from tests.factories.carts import selling_region, sold_variant
from tests.factories.fulfillment import option
from tests.orders.drafts.shop import STAFF, draft


def _changed(*, adds: bool = True) -> str:
    """The id of a draft whose open change adds a line."""
    made = draft(sold_variant(7))
    lifecycle.begin(actor=STAFF, draft_id=made.pk)
    if adds:
        items.add(actor=STAFF, draft_id=made.pk, items=[DraftItem(1, variant_id=sold_variant(7).pk)])
    return str(made.pk)


def _path(suffix: str = "") -> Callable[[], str]:
    return lambda: f"/admin/draft-orders/{draft(sold_variant(7)).pk}{suffix}"


def _edit_path(suffix: str = "", *, adds: bool = True) -> Callable[[], str]:
    return lambda: f"/admin/draft-orders/{_changed(adds=adds)}/edit{suffix}"


def _action_path() -> str:
    draft_id = _changed()
    return f"/admin/draft-orders/{draft_id}/edit/items/{OrderChangeAction.objects.get(change__cart=draft_id).pk}"


def _line_path() -> str:
    draft_id = _changed()
    return f"/admin/draft-orders/{draft_id}/edit/items/item/{_draft(draft_id).items.get().pk}"


def _added_method_path() -> str:
    draft_id = _changed(adds=False)
    shipping.add(actor=STAFF, draft_id=draft_id, shipping_option_id=option(3).pk)
    action = OrderChangeAction.objects.get(change__cart=draft_id)
    return f"/admin/draft-orders/{draft_id}/edit/shipping-methods/{action.pk}"


def _method_path() -> str:
    draft_id = _changed(adds=False)
    method = _draft(draft_id).shipping_methods.get()
    return f"/admin/draft-orders/{draft_id}/edit/shipping-methods/method/{method.pk}"


def _draft(draft_id: str) -> Cart:
    return Cart.objects.get(pk=draft_id)


def _listed_path() -> str:
    draft(sold_variant(7))
    return "/admin/draft-orders"


_EDIT = "/admin/draft-orders/<str:id>/edit"
EXAMPLES = {
    "/admin/draft-orders": Example(_listed_path, {"create": lambda: {"region_id": selling_region().pk}}),
    "/admin/draft-orders/<str:id>": Example(_path(), {"update": {"email": "office@example.com"}}),
    "/admin/draft-orders/<str:id>/convert-to-order": Example(_path("/convert-to-order")),
    _EDIT: Example(_path("/edit"), {"begin": {"internal_note": "Called"}}),
    f"{_EDIT}/request": Example(_edit_path("/request")),
    f"{_EDIT}/confirm": Example(_edit_path("/confirm")),
    f"{_EDIT}/items": Example(
        _edit_path("/items", adds=False),
        {"add": lambda: {"items": [{"variant_id": sold_variant(7).pk, "quantity": 1}]}},
    ),
    f"{_EDIT}/items/<str:action_id>": Example(_action_path, {"change": {"quantity": 2}}),
    f"{_EDIT}/items/item/<str:item_id>": Example(_line_path, {"change_line": {"quantity": 2}}),
    f"{_EDIT}/promotions": Example(
        _edit_path("/promotions"), {"add": {"promo_codes": []}, "remove": {"promo_codes": ["SAVE"]}}
    ),
    f"{_EDIT}/shipping-methods": Example(
        _edit_path("/shipping-methods"), {"add": lambda: {"shipping_option_id": option(3).pk}}
    ),
    f"{_EDIT}/shipping-methods/<str:action_id>": Example(_added_method_path, {"change": {"internal_note": "Called"}}),
    f"{_EDIT}/shipping-methods/method/<str:method_id>": Example(
        _method_path, {"change_method": {"internal_note": "Called"}}
    ),
}
