"""A code that ends, or is used up, between what staff were shown and what they confirm or convert."""

from datetime import timedelta
from typing import Any

import pytest

from carts.models import Cart, Promotion, PromotionCode
from catalog.models import Reservation
from kit.values.timestamps import now
from orders.models import Order, OrderChange, OrderNumber
from tests.contract.callers import Caller
from tests.contract.conftest import admin
from tests.factories import carts as make
from tests.orders.changes.shop import goods, sent
from tests.orders.drafts.shop import draft, wanted

pytestmark = pytest.mark.django_db(transaction=True)
__all__ = ["admin"]


def end() -> None:
    Promotion.objects.update(ends_at=now() - timedelta(seconds=1))


def use_up() -> None:
    """Another order has had the single use."""
    Promotion.objects.update(usage_limit=1, used=1)


@pytest.fixture(params=[end, use_up])
def lose(request: pytest.FixtureRequest) -> Any:
    return request.param


def refused(caller: Caller, path: str) -> tuple[int, str]:
    answer = caller.post(f"/admin/{path}", {})
    return answer.status_code, answer.json()["message"]


def nothing_came_of_it() -> bool:
    """Whether no order, number, reservation or use is there."""
    used = set(PromotionCode.objects.values_list("used", flat=True))
    return (Order.objects.count(), OrderNumber.objects.count(), Reservation.objects.count(), used) == (0, 0, 0, {0})


def test_the_conversion_is_refused_once_and_names_the_code(admin: Caller, lose: Any) -> None:
    made = draft(wanted(goods("mug", 10), 2), promo_codes=[make.PromotionFactory(value=10, code="SPRING").code])
    assert sent(admin, f"draft-orders/{made.pk}", method="GET")["draft_order"]["total"] == 23
    lose()
    status, message = refused(admin, f"draft-orders/{made.pk}/convert-to-order")
    assert (status, "from 23.00 to 25.00 usd" in message) == (400, True)
    assert "0.00 instead of 2.00 (promotion SPRING no longer applies)" in message
    assert nothing_came_of_it()
    assert sent(admin, f"draft-orders/{made.pk}", method="GET")["draft_order"]["total"] == 25
    order = sent(admin, f"draft-orders/{made.pk}/convert-to-order")["order"]
    assert (order["total"], order["discount_total"]) == (25, 0)


def test_the_confirmation_of_a_previewed_code_is_refused(admin: Caller, lose: Any) -> None:
    code = make.PromotionFactory(value=10, code="SPRING").code
    made = draft(wanted(goods("mug", 10), 2))
    path = f"draft-orders/{made.pk}"
    sent(admin, f"{path}/edit")
    preview = sent(admin, f"{path}/edit/promotions", {"promo_codes": [code]})["draft_order_preview"]
    assert preview["total"] == 23
    before = Cart.objects.values().get(pk=made.pk)
    lose()
    status, message = refused(admin, f"{path}/edit/confirm")
    assert (status, message) == (400, "Invalid request: promo_codes[0]: The promotion code SPRING is invalid")
    assert (Cart.objects.values().get(pk=made.pk), OrderChange.objects.get().status) == (before, "pending")
    status, message = refused(admin, f"{path}/convert-to-order")
    assert (status, "has an open change" in message, nothing_came_of_it()) == (400, True, True)
    sent(admin, f"{path}/edit/promotions", {"promo_codes": [code]}, method="DELETE")
    sent(admin, f"{path}/edit", method="DELETE")
    assert sent(admin, f"{path}/convert-to-order")["order"]["total"] == 25
