"""The paper's cases over HTTP: carts cost exactly what the table says."""

import pytest

from tests.carts.promotions.cases import Case, load
from tests.carts.promotions.stored_cases import StoredCase, number
from tests.contract.callers import Caller
from tests.contract.conftest import admin
from tests.walks import sampled

pytestmark = [pytest.mark.once, pytest.mark.django_db]

__all__ = ["admin"]
CASES = [*load()]


@pytest.mark.parametrize("case", sampled(CASES, every=8), ids=lambda case: str(case.number))
def test_a_cart_costs_what_the_case_says(case: Case, admin: Caller) -> None:
    stored = StoredCase(case)
    store = stored.shopper()
    stored.offer_all(admin)
    seen = stored.fill(store)
    assert stored.discounts(seen) == [number(amount) for amount in case.discounts]
    assert {each["code"]: each["reason"] for each in seen["skipped_promo_codes"]} == case.skipped
    assert {each["code"] for each in seen["promotions"]} == {each.promotion_id for each in case.offers} - {
        *case.skipped
    }
    assert (seen["tax_total"], seen["total"]) == (number(case.tax), number(case.total))
