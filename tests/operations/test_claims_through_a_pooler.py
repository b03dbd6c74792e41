"""What many claim at once through a pooler with two sessions: locks hold there as they do on sessions of their own."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db.models import Sum

from catalog.models import InventoryLevel
from orders.models import Order
from payments.models import Capture
from tests.concurrency.payment_requests import answers_of, one_key, prove_one_collection
from tests.concurrency.running_server import RunningServer, Sent, running_server
from tests.contract.callers import importer
from tests.factories import payments as make
from tests.factories.apikeys import publishable_key, secret_key
from tests.factories.checkout import ready_cart, stocked
from tests.factories.staff import UserFactory
from tests.operations.test_transaction_pooler import Environment, direct, pooled, poolers, with_role

__all__ = ["direct", "pooled", "poolers", "with_role"]
CROWD = 16
CAPTURE = "mutation ($id: ID!) { capturePayment(id: $id) { payment { capturedAmount } } }"
pytestmark = [pytest.mark.postgresql, pytest.mark.servers("pgbouncer")]


@pytest.fixture
def server(with_role: None, pooled: Environment, tmp_path: Path) -> Iterator[RunningServer]:
    key = {"x-publishable-api-key": publishable_key().token}
    with running_server(pooled, log=tmp_path / "log", headers=key, workers=2) as one:
        yield one


def test_of_carts_that_want_the_last_piece_one_gets_it(server: RunningServer) -> None:
    variant = stocked(1)
    carts = [ready_cart(variant, region_id=None) for _ in range(CROWD)]
    answers = answers_of(server, lambda turn: Sent(f"/store/carts/{carts[turn].pk}/complete"), number=CROWD)
    assert Counter(answer.body.get("type") for answer in answers.last) == {"order": 1, "not_allowed": CROWD - 1}
    assert Order.objects.count() == 1
    assert InventoryLevel.objects.aggregate(reserved=Sum("reserved_quantity")) == {"reserved": 1}


def test_what_is_sent_many_times_with_one_key_is_done_once(server: RunningServer) -> None:
    answers = prove_one_collection(server, one_key, number=CROWD)
    assert sum("idempotent-replayed" in answer.headers for answer in answers.last) == CROWD - 1


def test_a_payment_that_many_capture_is_captured_once(server: RunningServer) -> None:
    payment = make.authorized_payment(100)
    staff = importer(secret_key(UserFactory(is_superuser=True))).headers
    request = Sent("/graphql", {"query": CAPTURE, "variables": {"id": payment.pk}}, staff)
    answers = answers_of(server, lambda _: request, number=CROWD)
    done = [answer for answer in answers.last if "errors" not in answer.body]
    assert [answer.body["data"]["capturePayment"]["payment"]["capturedAmount"] for answer in done] == [100]
    assert Capture.objects.get().amount == 100
