"""Wrong promotion codes: what their answers say, and how many of them there may be."""

from typing import Any

import pytest
from django.conf import LazySettings

from carts.models import Cart
from tests.contract.callers import Caller
from tests.contract.conftest import signed_in, store
from tests.factories.carts import PromotionFactory, cart, default_region, sold_variant
from tests.kit.graphql.calls import ask

pytestmark = pytest.mark.django_db(transaction=True)

__all__ = ["signed_in", "store"]


@pytest.fixture
def limited(settings: LazySettings) -> None:
    settings.THROTTLES = {**settings.THROTTLES, "promotion_code_misses": (2, 900), "client_flood": (4, 60)}


def enter(caller: Caller, made: Cart, *codes: str) -> Any:
    return caller.post(f"/store/carts/{made.pk}/promotions", {"promo_codes": [*codes]})


def test_unknown_draft_ended_and_used_up_codes_answer_alike(store: Caller) -> None:
    made = cart(sold_variant(100))
    PromotionFactory(code="CODE1", status="draft")
    PromotionFactory(code="CODE2", ends_at="2020-01-01T00:00:00Z")
    PromotionFactory(code="CODE3", usage_limit=1, used=1)
    answers = {
        enter(store, made, code).content.replace(code.encode(), b"X") for code in ("CODE0", "CODE1", "CODE2", "CODE3")
    }
    assert answers == {b'{"type":"invalid_data","message":"The promotion code X is invalid"}'}


def test_guesses_of_one_cart_end_in_429_and_other_carts_go_on(limited: None, store: Caller) -> None:
    PromotionFactory(code="WELCOME10")
    made, other = cart(sold_variant(100)), cart(sold_variant(100))
    assert enter(store, made, " welcome10 ").status_code == 200
    assert [enter(store, made, code).status_code for code in ("A", "B", "WELCOME10")] == [400, 400, 429]
    assert int(enter(store, made, "WELCOME10").headers["Retry-After"]) > 0
    change = store.post(f"/store/carts/{made.pk}", {"promo_codes": ["WELCOME10"]})
    assert change.status_code == 429
    assert store.post(f"/store/carts/{made.pk}", {"email": "a@example.com"}).status_code == 200
    assert enter(store, other, "WELCOME10").status_code == 200


def test_new_carts_give_no_more_guesses_than_an_address_has(limited: None, store: Caller) -> None:
    default_region()
    carts = [cart(sold_variant(100)) for _ in range(3)]
    tried = [enter(store, made, code).status_code for made in carts for code in ("A", "B")]
    assert tried == [400, 400, 400, 400, 429, 429]
    assert store.post("/store/carts", {"promo_codes": ["C"]}).status_code == 429
    assert store.post("/store/carts", {}).status_code == 200


def test_customers_are_counted_by_themselves(limited: None, store: Caller, signed_in: Caller) -> None:
    carts = [cart(sold_variant(100)) for _ in range(3)]
    tried = [enter(signed_in, made, code).status_code for made, code in zip(carts, "ABC", strict=True)]
    assert tried == [400, 400, 429]
    assert enter(store, carts[0], "A").status_code == 400


def test_graphql_counts_them_too(limited: None, store: Caller) -> None:
    made = cart(sold_variant(100))
    mutation = f'mutation {{ addPromotionCodes(id: "{made.pk}", input: {{promoCodes: ["%s"]}}) {{ cart {{ id }} }} }}'
    kinds = [ask(store, mutation % code).json()["errors"][0]["extensions"]["type"] for code in "ABC"]
    assert kinds == ["invalid_data", "invalid_data", "not_allowed"]
    assert enter(store, made, "D").status_code == 429


def test_carts_list_codes_as_they_were_typed_and_apart_what_takes_nothing_off(store: Caller) -> None:
    made = cart(sold_variant(100))
    PromotionFactory(code="WELCOME10")
    PromotionFactory(code="AUTO", is_automatic=True)
    PromotionFactory(code="DEAL", kind="buyget", buy_rules_min_quantity=2, apply_to_quantity=1)
    seen = enter(store, made, " welcome10 ", "deal").json()["cart"]
    assert [(each["code"], each["is_automatic"]) for each in seen["promotions"]] == [
        ("welcome10", False),
        ("AUTO", True),
    ]
    assert seen["promotions"][0]["application_method"] == {
        "type": "percentage",
        "value": 10,
        "currency_code": None,
        "target_type": "items",
        "allocation": "each",
    }
    assert [each["code"] for each in seen["skipped_promo_codes"]] == ["deal"]
    again = enter(store, made, "Welcome10").json()["cart"]
    assert [each["code"] for each in again["promotions"]] == ["Welcome10", "AUTO"]


def test_an_empty_list_removes_all_codes(store: Caller) -> None:
    made = cart(sold_variant(100))
    PromotionFactory(code="WELCOME10")
    PromotionFactory(code="AUTO", is_automatic=True)
    assert enter(store, made, "WELCOME10").json()["cart"]["total"] == 81
    seen = enter(store, made).json()["cart"]
    assert ([each["code"] for each in seen["promotions"]], seen["total"]) == (["AUTO"], 90)
