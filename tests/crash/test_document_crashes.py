"""A process may be killed at any point between the number of a document and the commit: no number is lost."""

import signal
from functools import partial

import pytest
from django.conf import settings as django_settings
from pytest_django import Settings

from kit.domain.actor import SYSTEM
from kit.rest import idempotency
from kit.safety.idempotency import replay
from orders.invoices import following, writing
from orders.invoices.issuing import issue
from orders.models import InvoiceNumber, Order
from tests.contract.callers import importer
from tests.crash.interrupted_changes import LOCAL, Request
from tests.crash.interrupted_payments import after_it, before_it, exit_code
from tests.crash.journal_provider import Journal
from tests.factories.apikeys import secret_key
from tests.factories.staff import UserFactory
from tests.orders.changes.shop import Edit, goods, order_a
from tests.orders.invoices.shop import documents, sells
from tests.orders.managing.shop import is_clean

pytestmark = [pytest.mark.every(3), pytest.mark.django_db(transaction=True)]
COMMITTED = "the answer is committed and not sent"
TRAPS = {
    "the lines are written": partial(before_it, writing, "take_number"),
    "a number is taken": partial(after_it, writing, "take_number"),
    "the documents are written": partial(after_it, following, "write"),
    "the answer is made and not committed": partial(before_it, replay, "seal"),
    COMMITTED: partial(after_it, idempotency, "run_once"),
}
BEFORE, AFTER = "R1 50.00+10.00", "R1 50.00+10.00, G1 25.00+5.00, R2 25.00+5.00"


def _send_until(point: str, request: Request) -> None:
    django_settings.PAYMENT_PROVIDERS = LOCAL
    TRAPS[point]()
    request.send()


@pytest.mark.parametrize("point", TRAPS)
def test_no_number_is_lost(
    process_environment: dict[str, str], journal: Journal, settings: Settings, point: str
) -> None:
    """Case 62, with the edit of case 53."""
    settings.PAYMENT_PROVIDERS = LOCAL
    sells()
    order, token = order_a(), secret_key(UserFactory(is_superuser=True))
    issue(actor=SYSTEM, order_id=order.pk)
    edit = Edit(importer(token), order)
    edit.set("tee", 0)
    edit.add(goods("lamp", 25))
    request = Request(f"/admin/{edit.path}/confirm", {}, token.token)
    assert exit_code(partial(_send_until, point, request), process_environment) == -signal.SIGKILL
    assert (documents(order), numbers()) == ((AFTER, [1, 2]) if point == COMMITTED else (BEFORE, [1]))
    assert [request.send().status_code for _ in range(2)] == [200, 200]
    assert (documents(order), numbers()) == (AFTER, [1, 2])
    assert (Order.objects.get().version, is_clean()) == (2, True)


def numbers() -> list[int]:
    """The last ones of credit notes and of invoices."""
    return list(InvoiceNumber.objects.order_by("kind").values_list("last", flat=True))
