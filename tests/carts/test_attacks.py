"""Carts under attack: what others may not do to them, and what their own shoppers may not say of them."""

from typing import Any

import pytest

from carts.models import Cart, LineItem
from customers.models import Customer
from tests.contract.callers import Caller, invalid, refusal
from tests.factories import carts as make
from tests.factories.apikeys import publishable_key
from tests.factories.customers import AddressFactory, CustomerFactory, token_of
from tests.kit.graphql.calls import ask

pytestmark = pytest.mark.django_db
FOREIGN = [{"Origin": "https://evil.example"}, {"Origin": "null"}, {"Sec_Fetch_Site": "cross-site"}]
FORGED: dict[str, Any] = {
    "id": "cart_1",
    "customer_id": "cus_1",
    "completed_at": "2026-01-01T00:00:00Z",
    "total": 0,
    "item_total": 0,
    "credit_lines": [{"amount": 5}],
    "shipping_methods": [{"amount": 0}],
    "promotions": [],
    "payment_collection": {},
    "created_at": "2026-01-01T00:00:00Z",
    "deleted_at": None,
}
FORGED_LINE: dict[str, Any] = {
    "id": "cali_1",
    "cart_id": "cart_1",
    "unit_price": 0,
    "compare_at_unit_price": 1,
    "is_tax_inclusive": True,
    "is_discountable": True,
    "title": "Free",
    "total": 0,
    "tax_lines": [],
    "adjustments": [{"amount": 5}],
}


@pytest.fixture
def eve() -> Customer:
    return CustomerFactory()


@pytest.fixture
def cart(eve: Customer) -> Cart:
    """Eve's, with a line."""
    make.PromotionFactory(code="SAVE")
    return make.cart(make.sold_variant(10, id="variant_01SOLD"), actor=make.shopper(customer_id=eve.pk))


@pytest.fixture
def caller(eve: Customer) -> Caller:
    """A storefront where Eve has signed in by a token."""
    return signed_in(eve)


@pytest.fixture
def browser(caller: Caller) -> Caller:
    """A browser that has nothing of Eve but her cookie."""
    assert caller.post("/auth/session").status_code == 200
    del caller.headers["Authorization"]
    return caller


def signed_in(customer: Customer) -> Caller:
    return Caller(x_publishable_api_key=publishable_key().token, Authorization=f"Bearer {token_of(customer)}")


def everything() -> list[Any]:
    return [list(model.objects.order_by("pk").values()) for model in (Cart, LineItem)]


@pytest.mark.parametrize("headers", FOREIGN, ids=str)
def test_a_page_of_another_site_changes_no_cart_by_the_cookie(
    browser: Caller, cart: Cart, headers: dict[str, str]
) -> None:
    guests = make.cart()
    path, line = f"/store/carts/{cart.pk}", cart.items.get().pk
    before = everything()
    for method, where, body in [
        ("POST", "/store/carts", {}),
        ("POST", path, {"email": "evil@example.com"}),
        ("POST", f"{path}/line-items", {"variant_id": "variant_01SOLD", "quantity": 1}),
        ("POST", f"{path}/line-items/{line}", {"quantity": 5}),
        ("DELETE", f"{path}/line-items/{line}", b""),
        ("POST", f"{path}/promotions", {"promo_codes": ["SAVE"]}),
        ("DELETE", f"{path}/promotions", {"promo_codes": ["SAVE"]}),
        ("POST", f"{path}/taxes", b""),
        ("POST", f"/store/carts/{guests.pk}/customer", b""),
    ]:
        answer = browser.send(method, where, body, **headers)
        assert (answer.status_code, answer.json()["type"]) == (403, "not_allowed"), where
    for mutation in (
        f'updateCart(id: "{cart.pk}", input: {{email: "evil@example.com"}}) {{ cart {{ id }} }}',
        f'transferCart(id: "{guests.pk}") {{ cart {{ id }} }}',
        'createAddress(input: {city: "Ulm"}) { customer { id } }',
        "deleteSession { success }",
    ):
        answer = ask(browser, f"mutation {{ {mutation} }}", **headers)
        assert (answer.status_code, answer.json()["type"]) == (403, "not_allowed"), mutation
    assert everything() == before
    assert browser.post(path, {"email": "eve@example.com"}).status_code == 200


@pytest.mark.parametrize("field", [*FORGED, "currency_code", "items"])
def test_a_cart_says_nothing_of_itself_but_what_it_may(caller: Caller, cart: Cart, field: str) -> None:
    before = everything()
    answer = caller.post(f"/store/carts/{cart.pk}", {"email": "a@b.co", field: FORGED.get(field, "x")})
    assert refusal(answer) == invalid(f"Unrecognized fields: '{field}'")
    assert everything() == before


@pytest.mark.parametrize("field", FORGED)
def test_a_new_cart_says_nothing_of_itself_but_what_it_may(caller: Caller, cart: Cart, field: str) -> None:
    before = everything()
    answer = caller.post("/store/carts", {"region_id": cart.region_id, field: FORGED[field]})
    assert refusal(answer) == invalid(f"Unrecognized fields: '{field}'")
    assert everything() == before


@pytest.mark.parametrize("field", FORGED_LINE)
def test_a_line_says_nothing_of_itself_but_what_it_may(caller: Caller, cart: Cart, field: str) -> None:
    before, path, forged = everything(), f"/store/carts/{cart.pk}/line-items", {field: FORGED_LINE[field]}
    sold = {"variant_id": "variant_01SOLD", "quantity": 1}
    reported = invalid(f"Unrecognized fields: '{field}'")
    assert refusal(caller.post(path, {**sold, **forged})) == reported
    assert refusal(caller.post(f"{path}/{cart.items.get().pk}", {"quantity": 2, **forged})) == reported
    nested = caller.post("/store/carts", {"region_id": cart.region_id, "items": [{**sold, **forged}]})
    assert nested.status_code == 400
    assert field in refusal(nested)[1]
    assert everything() == before


@pytest.mark.parametrize("quantity", [0, -1, -(2**63), 2**63, 1.5, True, False, "1", None, [1], {}, 1_000_001])
def test_a_quantity_is_a_number_of_pieces(caller: Caller, cart: Cart, quantity: Any) -> None:
    before = everything()
    answer = caller.post(f"/store/carts/{cart.pk}/line-items", {"variant_id": "variant_01SOLD", "quantity": quantity})
    assert answer.status_code == 400
    assert "'quantity'" in refusal(answer)[1]
    assert everything() == before


def test_an_idempotency_key_replays_nothing_to_another_customer(caller: Caller, cart: Cart) -> None:
    other, key = CustomerFactory(), {"Idempotency_Key": "the-same-key-of-two-customers"}
    body = {"region_id": cart.region_id, "email": "a@b.co"}
    mine, theirs = (each.post("/store/carts", body, **key) for each in (caller, signed_in(other)))
    assert (mine.status_code, theirs.status_code) == (200, 200)
    assert "Idempotent-Replayed" not in theirs.headers
    assert mine.json()["cart"]["customer_id"] == cart.customer_id
    assert theirs.json()["cart"]["customer_id"] == other.pk
    adding = f"/store/carts/{cart.pk}/line-items", {"variant_id": "variant_01SOLD", "quantity": 1}
    assert caller.post(*adding, Idempotency_Key="a-key").status_code == 200
    assert signed_in(other).post(*adding, Idempotency_Key="a-key").status_code == 404


def test_another_customers_address_fills_in_no_cart(caller: Caller, cart: Cart) -> None:
    theirs = AddressFactory(first_name="Mara")
    before = everything()
    answer = caller.post(f"/store/carts/{cart.pk}", {"shipping_address": {"id": theirs.pk}})
    assert answer.status_code == 400
    assert "Mara" not in answer.content.decode()
    assert everything() == before


def test_no_promotion_makes_a_total_negative(caller: Caller, cart: Cart) -> None:
    for number in range(3):
        make.PromotionFactory(code=f"ALL{number}", value=100)
    make.PromotionFactory(code="FIXED", type="fixed", target="order", value=50, currency_id="usd")
    codes = {"promo_codes": ["ALL0", "ALL1", "FIXED", "ALL2", "ALL0"]}
    answer = caller.post(f"/store/carts/{cart.pk}/promotions", codes).json()["cart"]
    assert (answer["total"], answer["discount_subtotal"], answer["tax_total"]) == (0, 10, 0)
    assert [promotion["code"] for promotion in answer["promotions"]] == ["ALL0"]
    assert sorted(skipped["code"] for skipped in answer["skipped_promo_codes"]) == ["ALL1", "ALL2", "FIXED"]


@pytest.mark.parametrize("written", ["save", "Save", " SAVE ", "ſave"])  # noqa: RUF001
def test_letter_case_and_outer_blanks_of_a_code_do_not_matter(caller: Caller, cart: Cart, written: str) -> None:
    answer = caller.post(f"/store/carts/{cart.pk}/promotions", {"promo_codes": [written]})
    assert [each["code"] for each in answer.json()["cart"]["promotions"]] == [written.strip()]


@pytest.mark.parametrize("written", ["ＳAVE", "SA VE", "SAVE\u200b"])  # noqa: RUF001
def test_a_code_is_known_in_its_own_letters_alone(caller: Caller, cart: Cart, written: str) -> None:
    answer = caller.post(f"/store/carts/{cart.pk}/promotions", {"promo_codes": [written]})
    assert refusal(answer) == (400, f"The promotion code {written} is invalid")
