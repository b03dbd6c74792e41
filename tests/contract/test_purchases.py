"""The exact calls of Medusa's storefronts from home page to order and account, and the same in GraphQL."""

from typing import Any

import pytest

from catalog.models import InventoryLevel, Price, Reservation
from kit.graphql.types.names import camel
from kit.messages.mails.models import Mail
from orders.mails.transfers import render_transfer_mail
from orders.models import Order, OrderTransfer
from tests.contract.callers import storefront
from tests.contract.purchases import ADDRESS, CODE, EMAIL, PASSWORD, PROVIDER, Visit, open_shop
from tests.customers.conftest import signed_in
from tests.factories.apikeys import publishable_key
from tests.factories.customers import CustomerFactory
from tests.kit.graphql.calls import ask, data

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def visit(transactional_db: None) -> Visit:
    return Visit(storefront(publishable_key()), open_shop())


def shown_total(amounts: Any) -> float:
    """As the storefronts add it up."""
    parts = amounts["item_subtotal"] + amounts["shipping_subtotal"] + amounts["tax_total"]
    return round(parts - amounts["discount_subtotal"], 2)


def test_a_guest_walks_from_the_home_page_to_the_order(visit: Visit) -> None:
    assert visit.status("/store/customers/me", "fields=%2Aorders") == 401
    cart_id = visit.fill_cart(visit.browse())
    cart = visit.check_out(cart_id)
    assert cart["total"] == shown_total(cart) == 26.6  # 24 less ten percent, and 5 for the parcel
    order_id = visit.place_order(cart_id)
    order = visit.order(order_id)
    assert order["total"] == shown_total(order) == 26.6
    assert (order["display_id"], order["email"], order["gift_card_total"]) == (1, EMAIL, 0)
    assert (order["payment_status"], order["fulfillment_status"]) == ("authorized", "not_fulfilled")
    assert {name: order["shipping_address"][name] for name in ADDRESS} == {**ADDRESS, "province": None}
    (line,) = order["items"]
    assert (line["product_title"], line["quantity"], line["total"], line["original_total"]) == ("Mug", 2, 21.6, 24)
    assert line["variant"]["title"] == "Small"
    (method,) = order["shipping_methods"]
    assert (method["name"], method["total"]) == ("Parcel", 5)
    (payment,) = order["payment_collections"][0]["payments"]
    assert (payment["provider_id"], payment["amount"]) == (PROVIDER, 26.6)
    assert visit.place_order(cart_id) == order_id  # the button pressed twice
    assert visit.status("/store/orders") == 401
    assert sorted(InventoryLevel.objects.values_list("stocked_quantity", "reserved_quantity")) == [(0, 0), (7, 2)]
    assert Reservation.objects.get().line_item_id == line["id"]
    assert Mail.objects.get().kind == "order_placed"


def test_a_price_that_changes_after_the_payment_was_chosen_costs_one_more_click(visit: Visit) -> None:
    """Both storefronts show the message, read the cart again, and send the same request for the next click."""
    cart_id = visit.fill_cart(visit.browse())
    visit.check_out(cart_id)
    Price.objects.filter(amount=12, currency_id="eur").update(amount=13)
    refused = visit.store.send("POST", f"/store/carts/{cart_id}/complete", b"")
    assert refused.status_code == 400
    message = str(refused.json()["message"])
    assert message.startswith("The total of the cart has changed from 26.60 to 28.40 eur: the price of Mug")
    cart = visit.cart(cart_id)
    assert cart["total"] == shown_total(cart) == 28.4
    (session,) = cart["payment_collection"]["payment_sessions"]
    assert (session["status"], session["provider_id"]) == ("pending", PROVIDER)
    order = visit.order(visit.place_order(cart_id))
    assert order["total"] == shown_total(order) == order["payment_collections"][0]["payments"][0]["amount"] == 28.4


def test_a_customer_registers_buys_and_finds_the_order_in_the_account(visit: Visit) -> None:
    cart_id = visit.fill_cart(visit.browse())
    visit.register()
    visit.post(f"/store/carts/{cart_id}/customer", read={"cart": {"id": str, "customer_id": str, "email": str}})
    account = {"email": str, "first_name": str, "last_name": str, "phone": str, "addresses": list, "orders": list}
    assert visit.get("/store/customers/me", "fields=%2Aorders", read={"customer": account})["customer"]["orders"] == []
    assert visit.orders() == []
    assert visit.check_out(cart_id)["email"] == EMAIL
    order_id = visit.place_order(cart_id)
    order = visit.order(order_id)
    (listed,) = visit.orders()
    assert {name: listed[name] for name in ("id", "display_id", "total", "created_at")} == {
        name: order[name] for name in ("id", "display_id", "total", "created_at")
    }
    assert [each["quantity"] for each in listed["items"]] == [2]
    me = visit.get("/store/customers/me", "fields=%2Aorders", read={"customer": account})["customer"]
    assert [each["id"] for each in me["orders"]] == [order_id]
    assert Visit(visit.store, visit.shop).status(f"/store/orders/{order_id}") == 404  # without the sign-in
    assert signed_in(CustomerFactory()).get(f"/store/orders/{order_id}").status_code == 404


def test_a_guests_order_moves_into_an_account(visit: Visit) -> None:
    cart_id = visit.fill_cart(visit.browse())
    visit.check_out(cart_id)
    order_id = visit.place_order(cart_id)
    guest = Visit(visit.store, visit.shop)
    visit.register()
    assert visit.orders() == []
    path = f"/store/orders/{order_id}/transfer"
    asked = visit.post(f"{path}/request", {}, query="fields=id%2C%20email", read={"order": {"id": str, "email": str}})
    assert asked == {"order": {"id": order_id, "email": "m•••@example.com"}}
    mail = render_transfer_mail(OrderTransfer.objects.get().pk, 1)
    assert mail is not None
    wrong = guest.store.post(f"{path}/accept", {"token": "wrong"})
    assert (wrong.status_code, wrong.json()["message"]) == (400, "Invalid token.")
    guest.post(f"{path}/accept", {"token": mail.context["token"]}, read={"order": {"id": str}})
    assert [each["id"] for each in visit.orders()] == [order_id]
    assert guest.status(f"/store/orders/{order_id}") == 404


HOME = """query ($region: ID!, $handle: [String!]) {
  regions { regions { id countries { iso2 displayName } } }
  collections(limit: 100) { collections { id handle title } }
  productCategories(limit: 100) { productCategories { name handle categoryChildren { handle } } }
  products(regionId: $region, handle: $handle) {
    products { id title variants { id title inventoryQuantity calculatedPrice { calculatedAmount currencyCode } } }
  }
}"""
CREATE = "mutation ($input: CartInput) { createCart(input: $input) { cart { id regionId } } }"
ADD = "mutation ($id: ID!, $input: LineItemInput!) { addLineItem(id: $id, input: $input) { cart { items { id } } } }"
GROW = """mutation ($id: ID!, $input: NamedLineItemChangeInput!) {
  updateLineItem(id: $id, input: $input) { cart { itemTotal } }
}"""
CHANGE = "mutation ($id: ID!, $input: CartChangeInput) { updateCart(id: $id, input: $input) { cart { email } } }"
OFFERS = """query ($cart: ID!, $region: ID!) {
  shippingOptions(cartId: $cart) { shippingOptions { id amount } }
  paymentProviders(regionId: $region) { paymentProviders { id } }
}"""
SHIP = (
    "mutation ($id: ID!, $input: ShippingMethodInput!) { addShippingMethod(id: $id, input: $input) { cart { total } } }"
)
COLLECT = """mutation ($input: PaymentCollectionInput!) {
  createPaymentCollection(input: $input) { paymentCollection { id } }
}"""
PAY = """mutation ($id: ID!, $input: PaymentSessionInput!) {
  createPaymentSession(id: $id, input: $input) { paymentCollection { amount paymentSessions { status } } }
}"""
OF_AN_ORDER = """id displayId email total paymentStatus fulfillmentStatus
  items { productTitle quantity total variant { title } } shippingMethods { name total }
  shippingAddress { city countryCode } paymentCollections { payments { providerId amount } }"""
COMPLETE = f"mutation ($id: ID!) {{ completeCart(id: $id) {{ type order {{ {OF_AN_ORDER} }} error {{ message }} }} }}"
READ = f"query ($id: ID!) {{ order(id: $id) {{ {OF_AN_ORDER} }} }}"
ACCOUNT = """{ me { email orders { id displayId } }
  orders(order: "-createdAt", limit: 10) { count orders { id total items { title quantity } } } }"""


def bought(visit: Visit, **headers: str) -> dict[str, Any]:
    """The order that a shopper places by GraphQL alone, from the home page on."""

    def send(document: str, **variables: Any) -> Any:
        return data(ask(visit.store, document, variables, x_graphql_request="true", **headers))

    region_id, handle = visit.shop.names["region"], visit.shop.names["handle"]
    (product,) = send(HOME, region=region_id, handle=[handle])["products"]["products"]
    variant = next(each for each in product["variants"] if each["inventoryQuantity"])
    cart_id = send(CREATE, input={"regionId": region_id})["createCart"]["cart"]["id"]
    added = send(ADD, id=cart_id, input={"variantId": variant["id"], "quantity": 1})["addLineItem"]["cart"]
    send(GROW, id=cart_id, input={"lineId": added["items"][0]["id"], "quantity": 2})
    address = {camel(name): value for name, value in ADDRESS.items()}
    details = {"email": EMAIL, "promoCodes": [CODE], "shippingAddress": address, "billingAddress": address}
    assert send(CHANGE, id=cart_id, input=details)["updateCart"]["cart"] == {"email": EMAIL}
    offers = send(OFFERS, cart=cart_id, region=region_id)
    (parcel,) = offers["shippingOptions"]["shippingOptions"]
    (provider,) = offers["paymentProviders"]["paymentProviders"]
    send(SHIP, id=cart_id, input={"optionId": parcel["id"]})
    collection = send(COLLECT, input={"cartId": cart_id})["createPaymentCollection"]["paymentCollection"]
    session = send(PAY, id=collection["id"], input={"providerId": provider["id"]})["createPaymentSession"]
    assert session["paymentCollection"] == {"amount": 26.6, "paymentSessions": [{"status": "pending"}]}
    done = send(COMPLETE, id=cart_id)["completeCart"]
    assert (done["type"], done["error"]) == ("order", None)
    order: dict[str, Any] = send(READ, id=done["order"]["id"])["order"]
    assert order == done["order"]
    return order


def test_a_guest_buys_the_same_in_graphql(visit: Visit) -> None:
    order = bought(visit)
    assert order == {
        "id": Order.objects.get().pk,
        "displayId": 1,
        "email": EMAIL,
        "total": 26.6,
        "paymentStatus": "authorized",
        "fulfillmentStatus": "not_fulfilled",
        "items": [{"productTitle": "Mug", "quantity": 2, "total": 21.6, "variant": {"title": "Small"}}],
        "shippingMethods": [{"name": "Parcel", "total": 5}],
        "shippingAddress": {"city": "Hamburg", "countryCode": "de"},
        "paymentCollections": [{"payments": [{"providerId": PROVIDER, "amount": 26.6}]}],
    }
    assert visit.order(order["id"])["total"] == 26.6


def test_a_customer_buys_the_same_in_graphql(visit: Visit) -> None:
    login = {"email": EMAIL, "password": PASSWORD}
    register = "mutation ($input: RegistrationInput!) { register(input: $input) { token } }"
    token = data(ask(visit.store, register, {"input": login}, x_graphql_request="true"))["register"]["token"]
    create = 'mutation { createCustomer(input: {firstName: "Mia"}) { customer { email } } }'
    data(ask(visit.store, create, x_graphql_request="true", authorization=f"Bearer {token}"))
    sign_in = "mutation ($input: SignInInput!) { login(input: $input) { token } }"
    token = data(ask(visit.store, sign_in, {"input": login}, x_graphql_request="true"))["login"]["token"]
    order = bought(visit, authorization=f"Bearer {token}")
    account = data(ask(visit.store, ACCOUNT, x_graphql_request="true", authorization=f"Bearer {token}"))
    (line,) = account["orders"]["orders"][0].pop("items")
    assert line["quantity"] == 2
    assert account == {
        "me": {"email": EMAIL, "orders": [{"id": order["id"], "displayId": 1}]},
        "orders": {"count": 1, "orders": [{"id": order["id"], "total": 26.6}]},
    }
    stranger = ask(visit.store, READ, {"id": order["id"]}, x_graphql_request="true")
    assert stranger.json()["data"] == {"order": None}
