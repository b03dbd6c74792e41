"""Payment collections of orders below /admin, in GraphQL and on the admin site."""

import pytest
from django.test import Client

from orders.erasure.collections import carts_by_collection
from orders.models import Order
from payments.models import PaymentCollection, PaymentSession
from tests.contract.callers import Caller, importer, refusal
from tests.contract.conftest import admin
from tests.factories.apikeys import secret_key
from tests.factories.carts import sold_variant
from tests.factories.checkout import ready_cart
from tests.factories.orders import asked_for, owing_order
from tests.factories.staff import UserFactory
from tests.kit.graphql.calls import ask, data

pytestmark = pytest.mark.django_db
__all__ = ["admin"]


def test_asked_for_started_authorized_and_captured(admin: Caller) -> None:
    order = owing_order()
    answer = admin.post("/admin/payment-collections", {"order_id": order.pk, "amount": 18}).json()
    made = answer["payment_collection"]
    assert (made["amount"], made["status"], made["currency_code"]) == (18, "not_paid", order.currency_id)
    path = f"/admin/payment-collections/{made['id']}"
    started = admin.post(f"{path}/payment-sessions", {"provider_id": "pp_system_default"}).json()
    [session] = started["payment_collection"]["payment_sessions"]
    assert (session["amount"], session["status"]) == (18, "pending")
    body = {"payment_session_id": session["id"]}
    authorized = admin.post(f"/admin/orders/{order.pk}/payment-sessions/authorize", body).json()
    assert (authorized["is_authorized"], authorized["order"]["id"]) == (True, order.pk)
    payment = PaymentSession.objects.get(pk=session["id"]).payment
    assert admin.post(f"/admin/payments/{payment.pk}/capture", {}).json()["payment"]["captured_amount"] == 18
    order.refresh_from_db()
    assert (order.payment_status, order.paid_total) == ("captured", order.total)


def test_marked_as_paid_and_deleted(admin: Caller) -> None:
    first, second = asked_for(), asked_for()
    path = f"/admin/payment-collections/{first.pk}"
    body = {"order_id": first.order_id, "note": "Transfer 4711"}
    paid = admin.post(f"{path}/mark-as-paid", body, Idempotency_Key="transfer-4711").json()["payment_collection"]
    assert (paid["status"], paid["captured_amount"]) == ("completed", 18)
    assert admin.post(f"{path}/mark-as-paid", body, Idempotency_Key="transfer-4711").status_code == 200
    assert refusal(admin.post(f"{path}/mark-as-paid", body))[0] == 400
    gone = admin.send("DELETE", f"/admin/payment-collections/{second.pk}").json()
    assert gone == {"id": second.pk, "object": "payment-collection", "deleted": True}
    shown = admin.get(f"/admin/orders/{first.order_id}", "fields=*payment_collections").json()["order"]
    assert [each["amount"] for each in shown["payment_collections"]][-1] == 18


def test_sessions_of_a_shoppers_cart_are_not_for_staff_who_cannot_view_carts() -> None:
    cart = ready_cart(sold_variant(20))
    collection = PaymentCollection.objects.get(cart=cart)
    before = list(PaymentSession.objects.values_list("pk", "status"))
    owner = UserFactory(is_superuser=True)
    program = importer(secret_key(owner, permissions=["payments.change_paymentsession"]))
    path = f"/admin/payment-collections/{collection.pk}/payment-sessions"
    assert refusal(program.post(path, {"provider_id": "pp_system_default"}))[0] == 404
    assert list(PaymentSession.objects.values_list("pk", "status")) == before


def test_in_graphql(admin: Caller) -> None:
    order = owing_order()
    create = """mutation ($input: OrderCollectionInput!) { createOrderPaymentCollection(input: $input) {
        paymentCollection { id amount paymentProviders { id } } } }"""
    created = data(ask(admin, create, {"input": {"orderId": order.pk, "amount": 18}}))
    made = created["createOrderPaymentCollection"]["paymentCollection"]
    assert (made["amount"], made["paymentProviders"]) == (18, [{"id": "pp_system_default"}])
    mark = """mutation ($id: ID!, $input: MarkAsPaidInput!) { markPaymentCollectionAsPaid(id: $id, input: $input) {
        paymentCollection { status } } }"""
    marked = data(ask(admin, mark, {"id": made["id"], "input": {"orderId": order.pk}}))
    assert marked["markPaymentCollectionAsPaid"]["paymentCollection"]["status"] == "completed"


def test_a_session_made_in_graphql(admin: Caller) -> None:
    made = asked_for()
    start = """mutation ($id: ID!) { createOrderPaymentSession(id: $id, input: {providerId: "pp_system_default"}) {
        paymentCollection { id paymentSessions { amount status providerId } } } }"""
    answer = data(ask(admin, start, {"id": made.pk}))["createOrderPaymentSession"]
    session = {"amount": float(made.amount), "status": "pending", "providerId": "pp_system_default"}
    assert answer == {"paymentCollection": {"id": made.pk, "paymentSessions": [session]}}
    assert [each.collection_id for each in PaymentSession.objects.filter(collection=made)] == [made.pk]


def test_deleted_in_graphql(admin: Caller) -> None:
    made = asked_for()
    delete = "mutation ($id: ID!) { deletePaymentCollection(id: $id) { id object deleted } }"
    gone = {"id": made.pk, "object": "payment-collection", "deleted": True}
    assert data(ask(admin, delete, {"id": made.pk})) == {"deletePaymentCollection": gone}
    assert not PaymentCollection.objects.not_deleted().filter(pk=made.pk).exists()


def test_the_admin_site_shows_whose_it_is(admin_client: Client) -> None:
    made = asked_for()
    order = Order.objects.get(pk=made.order_id)
    for path in ("", f"{made.pk}/change/"):
        page = admin_client.get(f"/admin/payments/paymentcollection/{path}").content.decode()
        assert str(order.email) in page
    assert admin_client.get(f"/admin/orders/order/{order.pk}/change/").status_code == 200


def test_an_erasure_finds_it() -> None:
    made = asked_for()
    order = Order.objects.get(pk=made.order_id)
    own = PaymentCollection.objects.get(cart=order.cart_id)
    assert carts_by_collection([order.cart_id]) == {own.pk: order.cart_id, made.pk: order.cart_id}
