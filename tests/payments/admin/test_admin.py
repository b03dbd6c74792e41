"""The screens of payments, to look at."""

import re
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.conf import settings
from django.contrib.admin.utils import quote
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from carts.details.details import change as change_cart
from carts.models import Cart
from kit.admin.lists.row_link import row_link
from kit.domain.actor import SYSTEM
from kit.values.timestamps import now
from payments.errors import PaymentProviderRefused
from payments.lifecycle import cancellation
from payments.models import Intent, PaymentCollection, PaymentSession, ProviderEvent, RefundReason
from payments.movements import capturing, refunding
from payments.requests.intents import resume_all
from payments.sessions import authorization
from shop.errors import ProviderUnavailable
from shop.models import PaymentProvider
from tests.factories import payments as make
from tests.factories.customers import CustomerFactory
from tests.factories.orders import order
from tests.kit.admin.forms import errors, sent, submit
from tests.kit.admin.visits import history, reported, superuser, visitor
from tests.payments.scripted import Script, provider

pytestmark = [pytest.mark.once, pytest.mark.django_db]
__all__ = ["provider"]

COLLECTIONS, PAYMENTS, SESSIONS, REASONS = (
    f"/admin/payments/{name}/" for name in ("paymentcollection", "payment", "paymentsession", "refundreason")
)
VIEW = "payments.view_paymentcollection"


def text(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, address
    return str(answer.content.decode())


def listed(client: Client, query: str) -> set[str]:
    """The ids of the collections that the list shows."""
    return {row.pk for row in client.get(f"{COLLECTIONS}?{query}").context["cl"].result_list}


def tables(client: Client, collection_id: str) -> dict[str, list[tuple[str, ...]]]:
    """What stands below a collection, by title."""
    shown = client.get(f"{COLLECTIONS}{collection_id}/change/").context["tables"]
    return {table.title: table.rows for table in shown}


class TestCollections:
    def test_a_list_shows_how_far_each_is_paid(self) -> None:
        payment = make.captured_payment(1_250, captured=1_000)
        refunding.refund(actor=SYSTEM, payment_id=payment.pk, amount=Decimal(20))
        page = text(superuser(), COLLECTIONS)
        for said in ("Guest", "$1,250.00", "$1,000.00", "$20.00", "partially_captured"):
            assert said in page

    def test_no_page_shows_the_id_of_a_collection_which_opens_it(self) -> None:
        payment, client = make.captured_payment(50), superuser()
        for address in (
            *(COLLECTIONS, f"{COLLECTIONS}{quote(payment.collection_id)}/change/", PAYMENTS, SESSIONS),
            *(f"{PAYMENTS}{payment.pk}/change/", f"{SESSIONS}{payment.session_id}/change/"),
        ):
            shown = re.sub(r"<[^>]*>", "", text(client, address))  # addresses of screens have it
            assert "$50.00" in shown
            assert payment.collection_id not in shown, address

    def test_titles_say_what_was_paid_and_how(self) -> None:
        payment = make.captured_payment(1_250)
        assert str(payment.collection) == "Payment collection of $1,250.00"
        assert str(payment) == str(payment.session) == "$1,250.00, System default"

    def test_each_links_to_the_order_and_customer_for_those_who_may_open_them(self) -> None:
        placed = order(captured=True)
        paid = PaymentCollection.objects.get(order_id=placed.pk)
        payment, email, number = paid.payments.get(), paid.cart.email, str(placed)
        opened = row_link("orders_order_change", placed.pk, number)
        allowed, viewer = visitor(VIEW, "orders.view_order"), visitor(VIEW)
        for address, key in ((COLLECTIONS, paid.pk), (PAYMENTS, payment.pk), (SESSIONS, payment.session_id)):
            for page in (address, f"{address}{quote(key)}/change/"):
                assert opened in text(allowed, page), page
                shown = text(viewer, page)
                assert quote(placed.pk) not in shown
                assert number in shown
                assert email in shown
        buyer = CustomerFactory(email="buyer@example.com")
        Cart.objects.filter(pk=paid.cart_id).update(customer=buyer)
        link = f"/admin/customers/customer/{quote(buyer.pk)}/change/"
        page = f"{PAYMENTS}{payment.pk}/change/"
        assert link in text(visitor(VIEW, "customers.view_customer"), page)
        assert link not in text(viewer, page)

    def test_they_are_found_by_whatever_staff_have_at_hand(self) -> None:
        payment, client = make.authorized_payment(customer_id=None), superuser()
        make.collection()
        collection = payment.collection
        change_cart(actor=make.shopper(), cart_id=collection.cart_id, email="ann@example.com")
        PaymentSession.objects.filter(pk=payment.session_id).update(data={"id": "pi_3Abc", "client_secret": "hush"})
        for word in (
            *(collection.pk, collection.cart_id, payment.session_id, payment.pk, "Ann@Example.com", "pi_3Abc"),
            f"ann@example.com {payment.pk}",
        ):
            assert listed(client, f"q={word}") == {collection.pk}, word
        for word in ("hush", "pi_3", "ann", "pay_nothing", "ann@example.com pay_nothing"):
            assert listed(client, f"q={word}") == set(), word

    def test_they_are_found_by_the_number_of_their_order(self) -> None:
        placed, client = order(captured=True, custom_display_id="T-2026-7"), superuser()
        order(captured=True)
        paid = PaymentCollection.objects.get(order_id=placed.pk)
        pages = ((COLLECTIONS, paid), (PAYMENTS, paid.payments.get()), (SESSIONS, paid.payment_sessions.get()))
        for address, row in pages:
            for number in (f"%23{placed.display_id}", str(placed.display_id), "T-2026-7", f" {placed.display_id} "):
                assert [*client.get(f"{address}?q={number}").context["cl"].result_list] == [row], (address, number)
            for number in ("%23", "0", "9" * 30, "T-2026"):
                assert not client.get(f"{address}?q={number}").context["cl"].result_list, (address, number)

    def test_they_are_filtered_by_status_and_provider(self) -> None:
        PaymentProvider.objects.create(id="pp_another")
        paid, open_one, client = make.captured_payment().collection_id, make.collection().pk, superuser()
        assert listed(client, "status__exact=completed") == {paid}
        assert listed(client, "status__exact=not_paid") == {open_one}
        assert listed(client, "payment_sessions__provider__id__exact=pp_system_default") == {paid}

    def test_a_page_has_all_that_became_of_one(self, provider: Script) -> None:
        payment, client = make.captured_payment(50, captured=30), superuser()
        reason, collection_id = make.refund_reason(label="Broken"), payment.collection_id
        refunding.refund(
            actor=SYSTEM, payment_id=payment.pk, amount=Decimal(5), refund_reason_id=reason.pk, note="two cups"
        )
        provider.declines("Limit reached")
        with pytest.raises(PaymentProviderRefused):
            capturing.capture(actor=SYSTEM, payment_id=payment.pk)
        provider.is_silent()
        with pytest.raises(ProviderUnavailable):
            capturing.capture(actor=SYSTEM, payment_id=payment.pk, amount=Decimal(7))
        ProviderEvent.objects.create(
            provider_id=make.PROVIDER, event_id="evt_1", action="captured", session_id=payment.session_id
        )
        reported = tables(client, collection_id)
        link = row_link("payments_payment_change", payment.pk, "System default")
        assert [(row[1], row[2]) for row in reported["Captures"]] == [("$30.00", link)]
        assert [row[1:5] for row in reported["Refunds"]] == [("$5.00", link, "Broken", "two cups")]
        assert [row[1:6] for row in reported["Pending or refused requests"]] == [
            ("Capture", "$7.00", "open", "TimeoutError: no answer", "1"),
            ("Capture", "$20.00", "refused", "Limit reached", "1"),
        ]
        session = row_link("payments_paymentsession_change", payment.session_id, "$50.00, System default")
        assert [row[1:] for row in reported["Events from the provider"]] == [("Captured", session, "evt_1")]
        assert link in text(client, f"{COLLECTIONS}{collection_id}/change/")

    def test_what_others_have_said_is_shown_as_text(self, provider: Script) -> None:
        payment, client = make.authorized_payment(), superuser()
        provider.declines("<i>declined</i>")
        with pytest.raises(PaymentProviderRefused):
            capturing.capture(actor=SYSTEM, payment_id=payment.pk)
        Cart.objects.filter(pk=payment.collection.cart_id).update(email="<i>ann</i>@example.com")
        event = {"event_id": "<i>evt</i>", "action": "captured", "session_id": payment.session_id}
        ProviderEvent.objects.create(provider_id=make.PROVIDER, **event)
        pages = text(client, COLLECTIONS) + text(client, f"{COLLECTIONS}{payment.collection_id}/change/")
        assert "<i>" not in re.sub(r"<i (class|data)[^>]*>", "", pages)
        for said in ("declined", "ann", "evt"):
            assert f"&lt;i&gt;{said}&lt;/i&gt;" in pages

    def test_canceled_sessions_are_shown_too(self) -> None:
        session, client = make.session(), superuser()
        cancellation.cancel(actor=SYSTEM, collection_id=session.collection_id)
        page = text(client, f"{COLLECTIONS}{session.collection_id}/change/")
        assert session.pk in page
        assert "canceled" in page

    @pytest.mark.parametrize("number", [1, 12])
    def test_a_list_costs_the_same_for_few_and_for_many(self, number: int) -> None:
        client = superuser()
        for _ in range(number):
            make.authorized_payment()
        for address, budget in ((COLLECTIONS, 5), (PAYMENTS, 5), (SESSIONS, 5)):
            client.get(address)
            with CaptureQueriesContext(connection) as queries:
                client.get(address)
            assert len(queries) == budget, address


class TestWhoSeesWhat:
    @pytest.mark.parametrize("address", [COLLECTIONS, PAYMENTS, SESSIONS])
    def test_nobody_without_the_permission(self, address: str) -> None:
        acting = ("payments.add_capture", "payments.change_paymentcollection", "payments.view_payment")
        assert visitor().get(address).status_code == 403
        assert visitor(*acting).get(address).status_code == 403
        assert visitor(VIEW).get(address).status_code == 200

    def test_nobody_writes_there(self) -> None:
        payment, client = make.authorized_payment(), superuser()
        for address, key in (
            (COLLECTIONS, payment.collection_id),
            (PAYMENTS, payment.pk),
            (SESSIONS, payment.session_id),
        ):
            assert client.get(f"{address}add/").status_code == 403
            assert client.post(f"{address}{key}/change/", {"amount": "1"}).status_code == 403
            assert client.post(f"{address}{key}/delete/", {"post": "yes"}).status_code == 403

    def test_what_providers_keep_is_shown_to_nobody(self) -> None:
        payment, client = make.authorized_payment(), superuser()
        secret = {"id": "pi_1", "client_secret": "pi_1_secret_hush"}
        PaymentSession.objects.filter(pk=payment.session_id).update(data=secret, context={"customer": {"id": "hush"}})
        Intent.objects.filter(session=payment.session_id).update(data=secret)
        for address in (
            *(
                COLLECTIONS,
                f"{COLLECTIONS}{payment.collection_id}/change/",
                PAYMENTS,
                f"{PAYMENTS}{payment.pk}/change/",
            ),
            *(SESSIONS, f"{SESSIONS}{payment.session_id}/change/", f"{PAYMENTS}{payment.pk}/capture/"),
            f"{COLLECTIONS}{payment.collection_id}/history/",
        ):
            assert "hush" not in text(client, address), address

    @pytest.mark.parametrize(
        "query",
        [
            "paymentsession/?data__client_secret__startswith=pi",
            "paymentsession/?context__customer__id=cus_1",
            "paymentcollection/?payment_sessions__data__client_secret__startswith=pi",
            "payment/?session__data__client_secret__startswith=pi",
            "paymentcollection/?payment_sessions__intents__data__id=pi",
        ],
    )
    def test_no_list_is_narrowed_by_it(self, query: str) -> None:
        make.session()
        assert superuser().get(f"/admin/payments/{query}").status_code == 400


class TestWhatToLookAt:
    def figures(self, client: Client) -> dict[str, int]:
        """The overview's, each compared with the list that it leads to."""
        (panel,) = (panel for panel in client.get("/admin/").context["panels"] if panel.title == "Payments")
        for figure in panel.figures:
            assert client.get(figure.address).context["cl"].result_count == figure.count
        return {figure.meaning: figure.count for figure in panel.figures}

    def test_a_refused_capture_is_until_the_money_has_moved(self, provider: Script) -> None:
        payment, client = make.authorized_payment(), superuser()
        provider.declines("no")
        with pytest.raises(PaymentProviderRefused):
            capturing.capture(actor=SYSTEM, payment_id=payment.pk)
        assert self.figures(client) == {"to capture": 1, "need attention": 1}
        assert listed(client, "look=yes") == {payment.collection_id}
        provider.is_well()
        capturing.capture(actor=SYSTEM, payment_id=payment.pk)
        assert self.figures(client) == {"to capture": 0, "need attention": 0}

    def test_what_is_not_answered_is_once_it_takes_long(self, provider: Script) -> None:
        payment, client = make.authorized_payment(), superuser()
        provider.is_silent()
        with pytest.raises(ProviderUnavailable):
            capturing.capture(actor=SYSTEM, payment_id=payment.pk)
        assert self.figures(client)["need attention"] == 0
        long_ago = now() - 6 * settings.PAYMENT_PATIENCE
        Intent.objects.filter(done_at=None).update(created_at=long_ago)
        assert self.figures(client)["need attention"] == 1

    def test_a_refused_cancellation_is_until_the_provider_agrees(self, provider: Script) -> None:
        payment, client = make.authorized_payment(), superuser()
        cancellation.cancel(actor=SYSTEM, collection_id=payment.collection_id)
        provider.declines("too late")
        Intent.objects.filter(done_at=None).update(created_at=now() - timedelta(days=1))
        resume_all()
        assert listed(client, "look=yes") == {payment.collection_id}
        provider.is_well()
        Intent.objects.filter(done_at=None).update(claimed_until=None)
        resume_all()
        assert listed(client, "look=yes") == set()

    def test_a_declined_card_is_not(self, provider: Script) -> None:
        session, client = make.session(), superuser()
        provider.declines("no")
        with pytest.raises(PaymentProviderRefused):
            authorization.authorize(actor=SYSTEM, session_id=session.pk)
        assert self.figures(client) == {"to capture": 0, "need attention": 0}

    def test_only_who_may_look_is_reported(self) -> None:
        make.authorized_payment()
        assert visitor("payments.add_capture").get("/admin/").context["panels"] == []
        assert [panel.title for panel in visitor(VIEW).get("/admin/").context["panels"]] == ["Payments"]


class TestRefundReasons:
    def test_they_are_made_changed_and_deleted(self) -> None:
        client = superuser()
        submit(client, f"{REASONS}add/", sent(client, f"{REASONS}add/", code="late", label="Came late"))
        reason = RefundReason.objects.get()
        assert (reason.code, reason.label, reason.description) == ("late", "Came late", None)
        page = f"{REASONS}{reason.pk}/change/"
        submit(client, page, sent(client, page, description="Later than promised"))
        assert RefundReason.objects.get().description == "Later than promised"
        client.post(f"{REASONS}{reason.pk}/delete/", {"post": "yes"})
        assert RefundReason.objects.get().deleted_at is not None
        client.post(f"{REASONS}{reason.pk}/restore/", {"post": "yes"})
        assert RefundReason.objects.get().deleted_at is None
        assert history() == [("Came late", flag) for flag in (1, 2, 3, 2)]

    def test_a_code_that_is_taken_is_reported_at_its_field(self) -> None:
        make.refund_reason("late")
        client = superuser()
        answer = client.post(f"{REASONS}add/", sent(client, f"{REASONS}add/", code="late", label="Again"))
        assert errors(answer) == {"code": ["Another refund reason has this code."]}

    def test_one_that_was_refunded_for_stays(self) -> None:
        payment, reason, client = make.captured_payment(), make.refund_reason(label="Broken"), superuser()
        refunding.refund(actor=SYSTEM, payment_id=payment.pk, amount=Decimal(1), refund_reason_id=reason.pk)
        answers: list[Any] = [
            client.post(f"{REASONS}{reason.pk}/delete/", {"post": "yes"}),
            client.post(REASONS, {"action": "delete_selected", "_selected_action": [reason.pk], "post": "yes"}),
        ]
        for answer in answers:
            assert answer.status_code == 302
        said = "'Broken' is used by 1 refund and cannot be deleted"
        assert said in reported(answers[0])
        assert RefundReason.objects.get().deleted_at is None
        assert history() == []

    def test_one_that_is_being_refunded_for_stays(self, provider: Script) -> None:
        payment, reason = make.captured_payment(), make.refund_reason()
        provider.is_silent()
        with pytest.raises(ProviderUnavailable):
            refunding.refund(actor=SYSTEM, payment_id=payment.pk, refund_reason_id=reason.pk)
        superuser().post(f"{REASONS}{reason.pk}/delete/", {"post": "yes"})
        assert RefundReason.objects.get().deleted_at is None


def test_payments_and_sessions_are_found_by_the_carts_email() -> None:
    ann, bob = make.authorized_payment(), make.authorized_payment()
    Cart.objects.filter(pk=ann.collection.cart_id).update(email="ann@example.com")
    client = superuser()
    for address, row in ((PAYMENTS, ann), (SESSIONS, ann.session)):
        (found,) = client.get(address, {"q": " Ann@example.com"}).context["cl"].result_list
        assert found == row
        assert not client.get(address, {"q": "nobody@example.com"}).context["cl"].result_list
        assert client.get(address, {"q": "@\0"}).status_code == 200
    assert client.get(PAYMENTS, {"q": bob.pk}).context["cl"].result_list[0] == bob
