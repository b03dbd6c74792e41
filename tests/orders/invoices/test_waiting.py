"""Invoices that wait for the seller's data: written by a job, one for each order, of its worth then."""

from typing import Any

import pytest
from django.contrib.admin.utils import quote
from django.db import transaction
from django.test import Client

from kit.domain.actor import SYSTEM
from kit.errors import Forbidden
from kit.jobs import work
from kit.jobs.models import Job
from kit.jobs.states import JobStatus
from orders.invoices import waiting
from orders.invoices.errors import SellerIncomplete
from orders.models import Invoice, Order
from payments.models import Payment
from payments.movements import capturing
from shop.models import Region, Store
from staff.actors import staff_actor
from tests.factories.staff import UserFactory
from tests.kit.admin.forms import sent, submit
from tests.kit.admin.visits import superuser, visitor
from tests.kit.jobs.bulk_worker import let_leases_end, run_bulk_worker
from tests.orders.changes.shop import order_a
from tests.orders.invoices.shop import SELLER, documents, sells
from tests.orders.refunds.shop import refund

pytestmark = pytest.mark.django_db(transaction=True)

WRITE = "/admin/orders/order/waiting-invoices/"
TODO = "/admin/orders/order/?todo=invoice"


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "PAUSE_SECONDS", 0)


def captured() -> Order:
    """Order A of the paper, captured by the verb."""
    order = order_a(captured=False)
    capturing.capture(actor=SYSTEM, payment_id=Payment.objects.get(collection__order_id=order.pk).pk)
    order.refresh_from_db()
    return order


def states(*orders: Order) -> list[str | None]:
    return [Order.objects.get(pk=order.pk).invoicing for order in orders]


def save_store(client: Client, **texts: str) -> Any:
    page = f"/admin/shop/store/{quote(Store.objects.get().pk)}/change/"
    return submit(client, page, sent(client, page, default_region=Region.objects.latest("pk").pk, **texts))


def panel(client: Client) -> Any:
    (found,) = (each for each in client.get("/admin/").context["panels"] if each.title == "Invoices")
    return found


def test_saving_the_sellers_data_writes_one_invoice_an_order_from_its_worth_then() -> None:
    first, second = captured(), captured()
    refund(first, 5)
    assert states(first, second) == ["waiting", "waiting"]
    save_store(superuser(), **{**SELLER, "city": ""})
    assert not Job.objects.exists()
    save_store(superuser(), city="Bristol")
    run_bulk_worker()
    job = Job.objects.get()
    assert (job.status, job.succeeded, job.refused) == (JobStatus.DONE, 2, 0)
    assert (documents(first), documents(second)) == ("R1 45.83+9.17", "R2 50.00+10.00")
    assert states(first, second) == ["issued", "issued"]
    assert {invoice.seller["city"] for invoice in Invoice.objects.all()} == {"Bristol"}
    save_store(superuser(), city="Bath")
    assert Job.objects.count() == 1


def test_a_job_that_was_killed_goes_on_and_a_second_one_writes_nothing_twice() -> None:
    orders = [captured() for _ in range(3)]
    sells()
    job = waiting.start(actor=staff_actor(UserFactory(is_superuser=True)))
    other = waiting.start(actor=staff_actor(UserFactory(is_superuser=True)))
    assert job is not None
    assert other is not None
    with transaction.atomic():  # of a process that was killed before the job counted it
        waiting.pieces(job, [orders[0].pk])[orders[0].pk].do()
    run_bulk_worker()
    let_leases_end()
    run_bulk_worker()
    assert [documents(order) for order in orders] == ["R1 50.00+10.00", "R2 50.00+10.00", "R3 50.00+10.00"]
    assert {(each.status, each.succeeded) for each in Job.objects.all()} == {(JobStatus.DONE, 3)}


def test_a_second_click_leads_to_the_job_that_runs() -> None:
    captured()
    sells()
    actor = staff_actor(UserFactory(is_superuser=True))
    jobs = [waiting.start(actor=actor) for _ in range(2)]
    assert jobs[0] == jobs[1]


def test_without_the_sellers_data_nothing_starts_and_orders_of_a_running_job_keep_waiting() -> None:
    order = captured()
    actor = staff_actor(UserFactory(is_superuser=True))
    with pytest.raises(SellerIncomplete, match="legal name, address, city, country"):
        waiting.start(actor=actor)
    sells()
    assert waiting.start(actor=actor) is not None
    Store.objects.update(city=None)
    run_bulk_worker()
    job = Job.objects.get()
    assert (job.succeeded, job.refused, job.refusals.get().reason) == (
        0,
        1,
        "Invoices need these fields of the store: city",
    )
    assert states(order) == ["waiting"]


def test_an_order_that_is_canceled_meanwhile_gets_none() -> None:
    order = captured()
    sells()
    Order.objects.filter(pk=order.pk).update(canceled_at=order.created_at)
    assert waiting.start(actor=staff_actor(UserFactory(is_superuser=True))) is not None
    run_bulk_worker()
    assert (documents(order), states(order)) == ("", [None])


def test_the_overview_says_how_many_wait_and_what_is_missing() -> None:
    client = visitor("orders.view_invoice", "orders.add_invoice", "orders.view_order", "shop.change_store")
    assert panel(client).figures == ()
    order = captured()
    (figure,) = panel(client).figures
    assert (figure.count, figure.address) == (1, TODO)
    assert [row.pk for row in client.get(TODO).context["cl"].result_list] == [order.pk]
    Store.objects.update(**{**SELLER, "city": None})
    page = client.get("/admin/").content.decode()
    assert "The store lacks city." in page
    assert 'href="/admin/shop/store/"' in page
    assert WRITE not in page
    sells()
    assert f'href="{WRITE}"' in client.get("/admin/").content.decode()
    reader = visitor("orders.view_invoice")
    assert WRITE not in reader.get("/admin/").content.decode()
    (figure,) = panel(reader).figures
    assert (figure.count, figure.address) == (1, "")
    assert TODO not in reader.get("/admin/").content.decode()


def test_the_button_of_the_overview_writes_them() -> None:
    order, client = captured(), visitor("orders.add_invoice", "orders.view_invoice", "orders.view_order")
    refused = client.post(WRITE, {"post": "yes"}, follow=True)
    assert "Invoices need these fields of the store: legal name" in refused.content.decode()
    sells()
    assert str(order) in client.get(WRITE).content.decode()
    answer = client.post(WRITE, {"post": "yes"})
    assert answer["Location"] == f"/admin/jobs/job/{quote(Job.objects.get().pk)}/change/"
    run_bulk_worker()
    assert documents(order) == "R1 50.00+10.00"
    assert client.post(WRITE, {"post": "yes"})["Location"] == "/admin/"


def test_it_needs_the_permission_to_add_invoices() -> None:
    captured()
    sells()
    client = visitor("orders.view_invoice", "orders.view_order")
    assert [client.get(WRITE).status_code, client.post(WRITE, {"post": "yes"}).status_code] == [403, 403]
    user = UserFactory(is_superuser=True)
    job = waiting.start(actor=staff_actor(user))
    type(user).objects.filter(pk=user.pk).update(is_superuser=False)
    run_bulk_worker()
    assert job is not None
    job.refresh_from_db()
    assert (job.status, Invoice.objects.count()) == (JobStatus.FAILED, 0)
    with pytest.raises(Forbidden):
        waiting.start(actor=staff_actor(UserFactory()))
