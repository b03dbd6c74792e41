"""When an erasure is refused, what it keeps, and what follows it."""

from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from auth.models import AuthIdentity, PasswordReset
from carts.models import Cart
from customers.errors import CustomerNotFound
from customers.models import Customer
from customers.password_mail import send_password_mail
from kit.domain.actor import SYSTEM
from kit.errors import DomainError, Forbidden
from kit.jobs.models import Job, RowResult
from kit.messages.mails.models import Mail
from kit.safety.idempotency.models import Record
from kit.values.timestamps import now
from orders.access.transfers.requesting import request_transfer
from orders.common.errors import OrderNotFound
from orders.erasure import batches, people
from orders.erasure.erasing import Erased, erase
from orders.erasure.errors import ErasureBlocked, GuestNotFound, NotGuestOrder
from orders.erasure.retention import finish_erasures
from orders.models import CompletionAttempt, Order, OrderSearch
from payments.models import Intent
from payments.sessions import authorization
from tests.contract.callers import storefront
from tests.customers.conftest import signed_in
from tests.factories.actors import staff_actor
from tests.factories.apikeys import publishable_key
from tests.factories.carts import cart as new_cart
from tests.factories.carts import shopper
from tests.factories.checkout import ready_cart
from tests.factories.customers import CustomerFactory, customer_actor
from tests.factories.giftcards import gift_card, store_credit
from tests.factories.staff import PASSWORD
from tests.orders.managing.shop import is_clean
from tests.orders.placed import GUEST, placed
from tests.orders.returns.shop import delivered, request

pytestmark = pytest.mark.django_db


def done(order: Order, **columns: Any) -> Order:
    """As staff complete it."""
    Order.objects.filter(pk=order.pk).update(status="completed", **columns)
    order.refresh_from_db()
    return order


def refusal(person: people.Person) -> str:
    with pytest.raises(ErasureBlocked) as error:
        erase(actor=SYSTEM, person=person)
    return error.value.message.removeprefix("The personal data cannot be erased yet: ")


class TestRefusals:
    def test_an_order_that_is_not_delivered(self) -> None:
        customer = CustomerFactory()
        order = placed(customer=customer)
        assert refusal(people.customer(customer.pk)) == f"order {order}: not all items are delivered"
        assert Customer.objects.get(pk=customer.pk).email == customer.email

    def test_an_order_that_is_not_paid(self) -> None:
        order = delivered(captured=False)
        reasons = ("$55.00 has not been paid", "an authorized payment is neither captured nor canceled")
        assert refusal(people.guest_of(order.pk)) == "; ".join(f"order {order}: {reason}" for reason in reasons)

    def test_an_open_return(self) -> None:
        order = done(delivered())
        request(order, 1)
        assert refusal(people.guest_of(order.pk)) == f"order {order}: return 1 is open"

    def test_an_open_request_to_a_provider(self) -> None:
        order = done(placed())
        Intent.objects.filter(session__collection__order_id=order.pk, act="capture").update(done_at=None, result="")
        expected = f"order {order}: the provider has not answered the request to capture a payment"
        assert refusal(people.guest_of(order.pk)) == expected

    def test_money_of_a_cart_that_is_no_order_yet(self) -> None:
        cart = ready_cart()
        authorization.authorize(actor=SYSTEM, session_id=cart.payment_collection.payment_sessions.get().pk)
        assert refusal(people.guest("ann@example.com")) == (
            f"cart {cart.pk}: an authorized payment is neither captured nor canceled"
        )

    def test_an_open_attempt(self) -> None:
        cart = new_cart(email=GUEST)
        CompletionAttempt.objects.create(cart_id=cart.pk, total=1, currency_id="usd")
        assert refusal(people.guest(GUEST)) == f"cart {cart.pk}: it is being completed"

    def test_many_matters_are_counted(self) -> None:
        customer = CustomerFactory()
        for _ in range(12):
            placed(customer=customer)
        assert refusal(people.customer(customer.pk)).endswith("; and 2 more")

    def test_nobody(self) -> None:
        with pytest.raises(GuestNotFound):
            people.guest("nobody@example.com")
        with pytest.raises(DomainError, match="email"):
            people.guest("nobody")
        with pytest.raises(CustomerNotFound):
            people.customer("cus_nope\0")
        for order_id in (placed(customer=CustomerFactory()).pk, "order_nope\0"):
            with pytest.raises(NotGuestOrder):
                people.guest_of(order_id)

    def test_without_the_permission(self) -> None:
        customer = CustomerFactory()
        with pytest.raises(Forbidden):
            erase(actor=staff_actor("customers.delete_customer"), person=people.customer(customer.pk))


class TestWhatRemains:
    def test_an_open_order_of_an_account_does_not_hold_up_the_guest_of_its_email(self) -> None:
        """Orders are not joined by email alone, in either direction."""
        customer = CustomerFactory(email=GUEST)
        theirs, guests = placed(customer=customer), done(placed())
        assert erase(actor=SYSTEM, person=people.guest(GUEST)) == Erased(orders=1, waiting=0)
        theirs.refresh_from_db()
        guests.refresh_from_db()
        assert (theirs.email, guests.email) == (GUEST, None)
        assert Customer.objects.get(pk=customer.pk).email == GUEST
        assert AuthIdentity.objects.filter(customer_id=customer.pk).exists()

    def test_an_account_keeps_its_requests_when_the_guest_of_its_email_is_erased(self) -> None:
        customer = CustomerFactory(email=GUEST)
        send_password_mail(actor=SYSTEM, customer_id=customer.pk)
        erase(actor=SYSTEM, person=people.guest_of(done(placed()).pk))
        assert PasswordReset.objects.get().email == GUEST
        assert Mail.objects.get(kind="password_reset").next_try_at is not None

    def test_others_keep_their_data(self) -> None:
        other = done(placed(customer=CustomerFactory(email="bob@example.com")))
        erase(actor=SYSTEM, person=people.guest_of(done(placed()).pk))
        other.refresh_from_db()
        assert (other.email, other.erased_at, other.cart_id) == ("bob@example.com", None, other.cart_id)
        assert Cart.objects.get(pk=other.cart_id).email == "bob@example.com"

    def test_a_guest_row_is_erased_by_its_id_with_the_guests_orders(self) -> None:
        customer, order = CustomerFactory(email=GUEST, has_account=False), done(placed())
        assert erase(actor=SYSTEM, person=people.customer(customer.pk)) == Erased(orders=1, waiting=0)
        order.refresh_from_db()
        assert (order.email, Customer.objects.get(pk=customer.pk).email) == (None, None)

    def test_a_deleted_customer_can_be_erased(self) -> None:
        customer = CustomerFactory(deleted_at=now())
        erase(actor=SYSTEM, person=people.customer(customer.pk))
        found = Customer.objects.get(pk=customer.pk)
        assert (found.email, found.first_name, found.deleted_at) == (None, None, customer.deleted_at)

    def test_cards_and_credit(self) -> None:
        """A card that waited for the customer is anybody's who has the code."""
        customer, other = CustomerFactory(), CustomerFactory()
        store_credit(customer, 100)
        card = gift_card(5, customer_id=customer.pk)
        erase(actor=SYSTEM, person=people.customer(customer.pk))
        assert is_clean()
        caller = signed_in(other)
        assert caller.post(f"/store/gift-cards/{card.code}/redeem").status_code == 200

    def test_a_provinces_code_stays_and_so_does_the_postal_area(self) -> None:
        order = done(delivered())
        order.shipping_address.province, order.shipping_address.postal_code = "us-ny", "10001"
        order.shipping_address.save()
        erase(actor=SYSTEM, person=people.guest_of(order.pk))
        order.refresh_from_db()
        kept = order.shipping_address
        assert (kept.country_code, kept.province, kept.postal_code, kept.city) == ("us", "us-ny", "10", None)

    def test_staff_find_the_order_by_its_number_alone(self, admin_client: Any) -> None:
        order = done(placed())
        erase(actor=SYSTEM, person=people.guest_of(order.pk))
        assert OrderSearch.objects.get(order=order).marked.strip() != ""
        for query, count in ((str(order), 1), ("guest@example.com", 0)):
            page = admin_client.get("/admin/orders/order/", {"q": query})
            assert len(page.context["cl"].result_list) == count


class TestAfterwards:
    def test_the_account_is_unknown_and_its_email_free(self) -> None:
        customer = CustomerFactory(email="pia@example.com")
        caller, store = signed_in(customer), storefront(publishable_key())
        erase(actor=SYSTEM, person=people.customer(customer.pk))
        assert caller.get("/store/customers/me").status_code == 401
        login = {"email": "pia@example.com", "password": PASSWORD}
        unknown = store.post("/auth/customer/emailpass", {**login, "email": "nobody@example.com"})
        refused = store.post("/auth/customer/emailpass", login)
        assert (refused.status_code, refused.content) == (unknown.status_code, unknown.content)
        token = store.post("/auth/customer/emailpass/register", login).json()["token"]
        created = store.post("/store/customers", {"email": "pia@example.com"}, Authorization=f"Bearer {token}")
        fresh = created.json()["customer"]
        assert (fresh["email"], fresh["first_name"], fresh["addresses"]) == ("pia@example.com", None, [])
        assert fresh["id"] != customer.pk

    def test_shoppers_get_404_for_its_orders_and_carts(self) -> None:
        """Also during the retention time."""
        order = done(placed())
        left = new_cart(email=GUEST)
        store = storefront(publishable_key())
        assert store.get(f"/store/orders/{order.pk}").status_code == 200
        erase(actor=SYSTEM, person=people.guest_of(order.pk))
        assert store.get(f"/store/orders/{order.pk}").status_code == 404
        for cart_id in (order.cart_id, left.pk):
            assert store.get(f"/store/carts/{cart_id}").status_code == 404
            assert store.post(f"/store/carts/{cart_id}/complete").status_code == 404
        with pytest.raises(OrderNotFound):
            request_transfer(actor=customer_actor_in_store(), order_id=order.pk)

    def test_a_key_is_not_used_twice(self) -> None:
        """Its answer is gone, but the work is not done again."""
        store, body = storefront(publishable_key()), {"email": GUEST, "region_id": new_cart().region_id}
        first = store.post("/store/carts", body, idempotency_key="the-key-of-a-guest-1")
        assert first.status_code == 200
        kept = store.post("/store/carts", {**body, "email": "bob@example.com"}, idempotency_key="the-key-of-bob-000001")
        erase(actor=SYSTEM, person=people.guest(GUEST))
        again = store.post("/store/carts", body, idempotency_key="the-key-of-a-guest-1")
        assert (again.status_code, Cart.objects.filter(email=GUEST).count()) == (409, 0)
        replayed = store.post(
            "/store/carts", {**body, "email": "bob@example.com"}, idempotency_key="the-key-of-bob-000001"
        )
        assert replayed.content == kept.content
        assert Record.objects.filter(body=b"").count() == 1

    def test_staff_can_still_refund(self) -> None:
        """The provider's reference remains."""
        order = done(placed())
        session = order_session(order)
        session.data = {"id": "pi_1", "name": "Pia"}
        session.save()
        erase(actor=SYSTEM, person=people.guest_of(order.pk))
        session.refresh_from_db()
        assert (session.data, session.context) == ({"id": "pi_1"}, {})


def customer_actor_in_store() -> Any:
    return shopper(customer_id=customer_actor(CustomerFactory()).id)


def order_session(order: Order) -> Any:
    return Cart.objects.get(pk=order.cart_id).payment_collection.payment_sessions.get()


class TestRetention:
    @pytest.fixture(autouse=True)
    def _thirty_days(self, settings: Any) -> None:
        settings.ERASURE_RETENTION_DAYS = 30

    def test_an_order_waits_and_the_account_does_not(self) -> None:
        customer = CustomerFactory(email="pia@example.com")
        new = done(placed(customer=customer))
        old = done(placed(customer=customer), created_at=now() - timedelta(days=31))
        assert erase(actor=SYSTEM, person=people.customer(customer.pk)) == Erased(orders=1, waiting=1)
        assert finish_erasures() == 0
        for order in (new, old):
            order.refresh_from_db()
        assert (new.email, old.email, new.erased_at) == ("pia@example.com", None, None)
        assert Customer.objects.get(pk=customer.pk).email is None
        assert storefront(publishable_key()).get(f"/store/orders/{new.pk}").status_code == 404
        Order.objects.filter(pk=new.pk).update(created_at=now() - timedelta(days=31))
        out = StringIO()
        call_command("prune", stdout=out)
        assert "1 orders' personal data deleted" in out.getvalue()
        new.refresh_from_db()
        assert (new.email, new.shipping_address.city if new.shipping_address else None) == (None, None)
        assert finish_erasures() == 0

    def test_an_order_that_is_open_again_waits(self) -> None:
        order = done(delivered())
        erase(actor=SYSTEM, person=people.guest_of(order.pk))
        Order.objects.filter(pk=order.pk).update(created_at=now() - timedelta(days=31))
        made = request(order, 1)
        assert finish_erasures() == 0
        type(made).objects.filter(pk=made.pk).update(status="canceled", canceled_at=now())
        assert finish_erasures() == 1

    def test_what_was_written_meanwhile_is_swept(self) -> None:
        """By a request that had passed its checks before."""
        customer = CustomerFactory()
        late = new_cart(actor=shopper(customer_id=customer.pk), email="pia@example.com")
        taken = done(placed())
        erase(actor=SYSTEM, person=people.customer(customer.pk))
        Cart.objects.filter(pk=late.pk).update(deleted_at=None, email="pia@example.com")
        Order.objects.filter(pk=taken.pk).update(customer=customer.pk, created_at=now() - timedelta(days=31))
        assert finish_erasures() == 1
        late.refresh_from_db()
        taken.refresh_from_db()
        assert (late.email, taken.email) == (None, None)

    def test_what_jobs_were_given_and_told_since_is_erased_too(self, admin_user: Any) -> None:
        order, other = done(placed()), done(placed())
        erase(actor=SYSTEM, person=people.guest_of(order.pk))
        parcels = {"ful_1": [order.pk, "#1", "T-1"], "ful_2": [other.pk, "#2", "T-2"]}
        columns = {"kind": "bulk_orders", "actor": admin_user, "parameters": {"work": "ship", "parcels": parcels}}
        ran, canceled = (
            Job.objects.create(total=2, **columns),
            Job.objects.create(total=2, status="canceled", **columns),
        )
        for each in (order, other):
            RowResult.objects.create(job=ran, about=each.pk, label=str(each), status="done", text="Shipped, T.")
        Order.objects.filter(pk=order.pk).update(created_at=now() - timedelta(days=31))
        assert finish_erasures() == 1
        assert dict(ran.results.values_list("about", "text")) == {order.pk: "", other.pk: "Shipped, T."}
        for job in (ran, canceled):
            job.refresh_from_db()
            assert job.parameters == {"work": "ship", "parcels": {"ful_2": [other.pk, "#2", "T-2"]}}


def test_as_many_statements_for_any_number_of_orders() -> None:
    counts = []
    for number in (1, 4):
        customer = CustomerFactory()
        for _ in range(number):
            done(placed(customer=customer))
        with CaptureQueriesContext(connection) as statements:
            assert erase(actor=SYSTEM, person=people.customer(customer.pk)).orders == number
        counts.append(len(statements))
    assert counts[0] == counts[1] <= 109, counts


def test_many_orders_are_erased_in_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "BATCH", 2)
    for _ in range(5):
        done(placed())
    watched: list[int] = []
    with CaptureQueriesContext(connection) as statements:
        assert erase(actor=SYSTEM, person=people.guest(GUEST), watch=watched.append).orders == 5
    assert watched == [2, 2, 1]
    of_answers = [each["sql"] for each in statements if '"mentions"' in each["sql"]]
    reading = [text for text in of_answers if not text.startswith("UPDATE")]
    assert len(reading) == 1, "stored answers are all read"
    assert not Order.objects.exclude(email=None).exists()
    assert not Cart.objects.exclude(email=None).exists()


def test_exported_files_are_deleted_once_the_erasure_is_committed(
    tmp_path: Path, settings: Settings, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    settings.EXPORT_DIR = str(tmp_path)
    exported = tmp_path / "job_1.csv"
    exported.write_text("ann@shop.example")
    order = done(placed())
    with django_capture_on_commit_callbacks() as committed:
        erase(actor=SYSTEM, person=people.guest_of(order.pk))
    assert exported.exists()
    for callback in committed:
        callback()
    assert not exported.exists()
