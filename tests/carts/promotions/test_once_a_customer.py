"""One discount a customer, over HTTP: an account, and a guest's email address in two letter cases, have two carts."""

from typing import Any

import pytest

from tests.carts.promotions.stored_cases import done
from tests.contract.callers import Caller
from tests.contract.conftest import admin, store
from tests.customers.conftest import signed_in
from tests.factories.carts import sold_variant
from tests.factories.checkout import ready_cart
from tests.factories.customers import CustomerFactory

pytestmark = pytest.mark.django_db(transaction=True)

__all__ = ["admin", "store"]
FIRST_ORDER = {"attribute": "is_first_order", "operator": "eq", "values": ["true"]}
LIMITS: dict[str, dict[str, Any]] = {
    "usage_limit_per_customer": {"limit_per_customer": 1},
    "is_first_order": {"rules": [FIRST_ORDER]},
}
EMAILS = ("bob@example.com", "Bob@Example.com")


@pytest.mark.parametrize("is_guest", [True, False], ids=["guest", "account"])
@pytest.mark.parametrize("limit", LIMITS)
def test_two_open_carts_of_a_customer_have_one_discount(
    limit: str, is_guest: bool, admin: Caller, store: Caller
) -> None:
    method = {"type": "percentage", "value": 10, "target_type": "order"}
    body = {"code": "ONCE", "type": "standard", "status": "active", "application_method": method, **LIMITS[limit]}
    promotion = done(admin.post("/admin/promotions", body))["promotion"]["id"]
    customer, variant = CustomerFactory(), sold_variant(100)
    shopper = store if is_guest else signed_in(customer)
    paths = []
    for email in EMAILS:
        made = ready_cart(variant, shipping=0, customer_id=None if is_guest else customer.pk)
        paths.append(f"/store/carts/{made.pk}")
        entered = {"promo_codes": ["once"], **({"email": email} if is_guest else {})}
        assert done(shopper.post(paths[-1], entered))["cart"]["total"] == 90

    first = done(shopper.post(f"{paths[0]}/complete"))
    assert (first["type"], first["order"]["total"]) == ("order", 90)
    refused = shopper.post(f"{paths[1]}/complete")
    seen = refused.json()["details"]
    assert (refused.status_code, seen["total_before"], seen["total"]) == (400, 90, 100)
    second = done(shopper.post(f"{paths[1]}/complete"))
    assert (second["type"], second["order"]["total"]) == ("order", 100)
    assert done(admin.get(f"/admin/promotions/{promotion}"))["promotion"]["used"] == 1
