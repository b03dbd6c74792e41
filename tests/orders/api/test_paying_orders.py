"""Links and credit lines that pay placed orders, over HTTP."""

from collections.abc import Iterator
from typing import Any

import pytest

from orders.models import OrderCreditLine, PaymentLink
from tests.contract.callers import Caller
from tests.contract.conftest import admin, store
from tests.factories.orders import owing_order, with_credit
from tests.kit.graphql.calls import ask, data
from tests.orders.payment.owing import asked, owing
from tests.payments.providers import FAKE, FakeProvider, switched_on

__all__ = ["admin", "store"]
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def fake(transactional_db: None, settings: Any) -> Iterator[FakeProvider]:
    settings.PUBLIC_URL = "https://api.shop.example"
    with switched_on(settings) as made:
        yield made


def test_a_program_makes_a_link_and_a_storefront_pays_it(admin: Caller, store: Caller, fake: FakeProvider) -> None:
    order = owing()
    path = f"/admin/orders/{order.pk}/payment-links"
    dry = admin.post(path, {"no_notification": True, "dry_run": True}).json()["payment_link"]
    assert (dry["url"], PaymentLink.objects.count()) == ("********", 0)
    made = admin.post(path, {"no_notification": True}).json()["payment_link"]
    assert set(made) == {"id", "url", "expires_at"}
    token = made["url"].removeprefix("https://api.shop.example/pay/")
    of_link = f"/store/payment-links/{token}"
    session = {"payment_session": None, "payment_providers": [FAKE], "is_announced": False}
    due = {"order_number": f"#{order.display_id}", "amount": 18, "currency_code": "usd", **session}
    assert store.get(of_link).json() == {"payment_link": due}
    refused = store.post(of_link, {"provider_id": FAKE, "amount": 17})
    message = "Field 'amount' must be what is outstanding of the order by now: $18.00"
    assert (refused.status_code, refused.json()["message"]) == (400, message)
    refused = store.post(of_link, {"provider_id": "pp_none", "amount": 18})
    assert (refused.status_code, "'provider_id'" in refused.json()["message"]) == (400, True)
    paid = store.post(of_link, {"provider_id": FAKE, "amount": 18}).json()["payment_link"]
    assert paid == {**due, "amount": 0, "payment_providers": []}
    assert asked(order) == [(45, "completed"), (18, "authorized")]
    assert store.get("/store/payment-links/wrong").status_code == 404
    assert admin.post(path, {"no_notification": True}).status_code == 400


def test_links_and_credit_lines_in_graphql(admin: Caller) -> None:
    link = "mutation($id: ID!) { createOrderPaymentLink(id: $id, input: {noNotification: true}) { url } }"
    made = data(ask(admin, link, {"id": owing().pk}))["createOrderPaymentLink"]
    assert made["url"].startswith("https://api.shop.example/pay/")
    order = with_credit(owing_order())
    credit = (
        "mutation($id: ID!) { createOrderCreditLine(id: $id, input: "
        '{amount: 18, reference: "order_change", referenceId: "ordch_1"}) { order { total paymentStatus } } }'
    )
    answer = data(ask(admin, credit, {"id": order.pk}))["createOrderCreditLine"]
    assert answer == {"order": {"total": float(order.total - 18), "paymentStatus": "captured"}}


def test_credit_pays_an_order_once(admin: Caller) -> None:
    order = with_credit(owing_order())
    path = f"/admin/orders/{order.pk}/credit-lines"
    body = {"amount": 18, "reference": "order_change", "reference_id": "ordch_1"}
    dry = admin.post(path, {**body, "dry_run": True}).json()["order"]
    before = order.credit_line_total  # of a gift card, at checkout
    assert (dry["credit_line_total"], OrderCreditLine.objects.filter(version__gt=1).count()) == (before + 18, 0)
    paid = admin.post(path, body).json()["order"]
    assert (paid["total"], paid["credit_line_total"]) == (float(order.total - 18), before + 18)
    assert paid["summary"]["pending_difference"] == 0
    line = paid["credit_lines"][-1]
    assert (line["amount"], line["reference"], line["reference_id"]) == (18, "order_change", "ordch_1")
    for again, named in ((body, "'reference_id'"), ({**body, "reference_id": "b"}, "outstanding of the order: 0.00")):
        refused = admin.post(path, again)
        assert (refused.status_code >= 400, named in refused.json()["message"]) == (True, True)
    assert admin.post(path, {"amount": 18}).status_code == 400
