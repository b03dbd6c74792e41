"""A shopper who knows the id of a draft is answered as for an id that nothing has: on every route, field and hook."""

from typing import Any

import orjson
import pytest
from django.http import HttpResponse
from graphql import OperationType

from carts.api.resources import CARTS
from carts.models import Cart
from commerce.schema import SCHEMA
from customers.models import Customer
from kit.graphql.fields.mutations import Change
from kit.values.ids import new_secret_id
from orders.drafts.conversion import convert
from tests.contract.callers import Caller
from tests.contract.routes import ROUTES, Route, good_request
from tests.factories import carts as make
from tests.kit.graphql.calls import ask
from tests.orders.drafts.shop import STAFF, draft

pytestmark = [pytest.mark.once, pytest.mark.django_db]
OF_SHOPPERS = [route for route in ROUTES if route.path.startswith(("/store/", "/hooks/"))]
FIELDS = {
    "cart": "(id: %s) { id }",
    "updateCart": '(id: %s, input: {email: "eve@example.com"}) { cart { id } }',
    "addLineItem": '(id: %s, input: {variantId: "variant_1", quantity: 1}) { cart { id } }',
    "updateLineItem": '(id: %s, input: {lineId: "cali_1", quantity: 1}) { cart { id } }',
    "removeLineItem": '(id: %s, input: {lineId: "cali_1"}) { cart { id } }',
    "addPromotionCodes": '(id: %s, input: {promoCodes: ["SAVE"]}) { cart { id } }',
    "removePromotionCodes": '(id: %s, input: {promoCodes: ["SAVE"]}) { cart { id } }',
    "transferCart": "(id: %s) { cart { id } }",
    "calculateCartTaxes": "(id: %s) { cart { id } }",
    "addShippingMethod": '(id: %s, input: {optionId: "so_1"}) { cart { id } }',
    "removeShippingMethods": "(id: %s, input: {}) { cart { id } }",
    "addGiftCardToCart": '(id: %s, input: {code: "ABC"}) { cart { id } }',
    "removeGiftCardFromCart": '(id: %s, input: {code: "ABC"}) { cart { id } }',
    "addStoreCreditToCart": "(id: %s) { cart { id } }",
    "removeStoreCreditFromCart": "(id: %s) { cart { id } }",
    "completeCart": "(id: %s) { type order { id } }",
    "createPaymentCollection": "(input: {cartId: %s}) { paymentCollection { id } }",
    "calculateShippingOption": '(id: "so_1", input: {cartId: %s}) { shippingOption { id } }',
    "shippingOptions": "(cartId: %s) { count }",
    "products": "(cartId: %s) { products { id } }",
    "productVariants": "(cartId: %s) { variants { id } }",
}


@pytest.fixture(params=["open", "converted"])
def hidden(request: pytest.FixtureRequest) -> Cart:
    made = draft(make.sold_variant(10))
    if request.param == "converted":
        convert(actor=STAFF, draft_id=made.pk)
    return made


def shown(response: HttpResponse, cart_id: str) -> tuple[int, str]:
    return response.status_code, response.content.decode().replace(cart_id, "ID")


def put(value: Any, cart_id: str) -> Any:
    """The value with the id in the place of that of every shopper's cart."""
    text = orjson.dumps(value).decode()
    for key in Cart.objects.filter(is_draft=False).values_list("pk", flat=True):
        text = text.replace(key, cart_id)
    return orjson.loads(text)


def named(route: Route, method: str, cart_id: str) -> tuple[str, Any]:
    """Path and body of a good request that name this cart; by a parameter or field where they name none."""
    good = good_request(route, method)
    body = {} if isinstance(good.body, bytes) else good.body
    path, changed = put(good.path, cart_id), put(body, cart_id)
    if method == "GET" and path == good.path:
        path += f"{'&' if '?' in path else '?'}cart_id={cart_id}"
    if method == "POST" and path == good.path and changed == body:
        changed = {**body, "cart_id": cart_id}
    return path, changed


@pytest.mark.parametrize("route", OF_SHOPPERS, ids=str)
def test_every_route(route: Route, by_ann: Caller, guest: Caller) -> None:
    hidden, unknown = draft(make.sold_variant(10)), new_secret_id("cart")
    before = Cart.objects.values().get(pk=hidden.pk)
    for method in ("GET", "POST", "DELETE"):
        if method.lower() not in route.actions:
            continue
        for caller in (guest, by_ann):
            answers = []
            for cart_id in (hidden.pk, unknown):
                path, body = named(route, method, cart_id)
                sent = b"" if method == "GET" else body
                answers.append((path, shown(caller.send(method, path, sent), cart_id)))
            (path, of_draft), (_, of_unknown) = answers
            if hidden.pk in path:
                assert of_draft == of_unknown
                assert of_draft[0] in ((400, 404) if caller is by_ann else (400, 401, 404)), of_draft
    assert Cart.objects.values().get(pk=hidden.pk) == before


def test_the_table_has_every_field_that_takes_a_cart() -> None:
    changes = {
        name
        for name, each in SCHEMA.roots[OperationType.MUTATION].items()
        if isinstance(each, Change) and each.resource is CARTS and name not in ("createCart", "reorder")
    }
    assert changes < set(FIELDS)


@pytest.mark.parametrize("field", FIELDS)
def test_every_graphql_field(field: str, hidden: Cart, ann: Customer, by_ann: Caller, guest: Caller) -> None:
    unknown = new_secret_id("cart")
    kind = "mutation " if field in SCHEMA.roots[OperationType.MUTATION] else ""
    for caller in (guest, by_ann):
        answers = [
            shown(ask(caller, f"{kind}{{ {field}{FIELDS[field] % orjson.dumps(key).decode()} }}"), key)
            for key in (hidden.pk, unknown)
        ]
        assert answers[0] == answers[1]
        assert "ID was not found" in answers[0][1] or (caller is guest and "Unauthorized" in answers[0][1]), answers[0]


def test_the_routes_of_a_converted_draft_s_cart(guest: Caller) -> None:
    made = draft(make.sold_variant(10))
    order_id = convert(actor=STAFF, draft_id=made.pk)
    for method, suffix in (("GET", ""), ("POST", ""), ("POST", "/complete"), ("POST", "/taxes")):
        answer = guest.send(method, f"/store/carts/{made.pk}{suffix}", b"" if method == "GET" else {})
        assert answer.status_code == 404, answer.content
    answer = guest.post("/store/payment-collections", {"cart_id": made.pk})
    assert answer.status_code == 404, answer.content
    assert guest.get(f"/store/orders/{order_id}").status_code == 200
