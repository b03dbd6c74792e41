"""What staff have providers do by the buttons of the admin site."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from decimal import Decimal
from typing import Any
from unittest.mock import patch

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.admin.utils import quote
from django.db import transaction
from django.test import Client
from django.urls import reverse

from kit.errors import Conflict
from kit.values.timestamps import now
from payments.admin.movement_forms import BUSY
from payments.models import Capture, Intent, Payment, PaymentCollection, PaymentSession, Refund
from payments.requests import intents
from payments.requests.intents import record_intent
from payments.states import Act
from tests.factories import payments as make
from tests.kit.admin.forms import Values, changed, confirmed, sent
from tests.kit.admin.visits import reported, superuser, visitor
from tests.payments.scripted import Script, provider

pytestmark = [pytest.mark.once, pytest.mark.django_db]
__all__ = ["provider"]
VIEW = "payments.view_paymentcollection"


def address(act: str, row: Payment | PaymentSession | PaymentCollection) -> str:
    return f"/admin/payments/{row._meta.model_name}/{row.pk}/{act}/"


def page_of(collection_id: str) -> str:
    return f"/admin/payments/paymentcollection/{collection_id.replace('_', '_5F')}/change/"


def buttons(client: Client, row: Any) -> list[str]:
    """Those above its form."""
    page = client.get(reverse(f"admin:payments_{row._meta.model_name}_change", args=[quote(row.pk)]))
    actions = page.context["actions_detail"]
    return [action["title"] for action in actions]


SENT_BEFORE = "This request was already sent with a different amount; check its result first"


def said() -> list[str]:
    """The history, without the names of the requests."""
    entries = LogEntry.objects.order_by("pk")
    return [re.sub(r" \(payint_\w+\)$", "", entry.get_change_message()) for entry in entries]


def refused(answer: Any) -> list[str]:
    """What the form that is asked again tells above its fields."""
    assert answer.status_code == 200, answer.status_code
    return list(answer.context["form"].non_field_errors())


def again(answer: Any, **changes: Any) -> Values:
    """The form that the answer asks again, as it would be sent."""
    form = answer.context["form"]
    return changed({name: [str(form[name].value())] for name in form.fields}, post="yes", **changes)


@pytest.fixture
def payment(db: None) -> Payment:
    return make.authorized_payment(50)


@pytest.fixture
def client(db: None) -> Client:
    return superuser()


class TestCapturing:
    def test_what_is_left_is_proposed(self, client: Client, payment: Payment) -> None:
        make.capturing.capture(actor=make.SYSTEM, payment_id=payment.pk, amount=Decimal("12.50"))
        form = client.get(address("capture", payment)).context["form"]
        assert str(form["amount"].value()) == "37.50"
        assert form.fields["amount"].help_text == "At most $37.50."

    def test_it_is_taken_by_whom_and_reported(self, client: Client, payment: Payment) -> None:
        answer = client.post(address("capture", payment), sent(client, address("capture", payment), amount="12.50"))
        assert answer["Location"] == page_of(payment.collection_id)
        assert reported(answer) == ["Captured $12.50."]
        capture = Capture.objects.get()
        assert (capture.amount, capture.created_by) == (Decimal("12.50"), client.user.pk)
        (entry,) = LogEntry.objects.all()
        assert (entry.user, entry.object_id, said()) == (client.user, payment.collection_id, ["Captured $12.50."])
        assert client.user.email in client.get(page_of(payment.collection_id)).content.decode()

    def test_a_form_that_is_sent_twice_takes_once(self, client: Client, payment: Payment, provider: Script) -> None:
        form = sent(client, address("capture", payment), amount="20")
        for _ in range(2):
            answer = client.post(address("capture", payment), form)
            assert answer["Location"] == page_of(payment.collection_id)
            assert reported(answer)[-1] == "Captured $20.00."
        other = confirmed(client, address("capture", payment), changed(form, amount="30"))
        assert refused(client.post(address("capture", payment), other)) == [SENT_BEFORE]
        assert [capture.amount for capture in Capture.objects.all()] == [20]
        assert (provider.asked, said()) == (["capture"], ["Captured $20.00."])

    def test_a_form_that_has_taken_all_may_come_again(self, client: Client, payment: Payment) -> None:
        form = sent(client, address("capture", payment))
        assert [client.post(address("capture", payment), form).status_code for _ in range(2)] == [302, 302]
        assert Capture.objects.get().amount == 50

    def test_two_of_staff_do_not_share_a_ticket(self, client: Client, payment: Payment) -> None:
        form = sent(client, address("capture", payment), amount="20")
        client.post(address("capture", payment), form)
        superuser().post(address("capture", payment), form)
        assert [capture.amount for capture in Capture.objects.all()] == [20, 20]

    @pytest.mark.parametrize(
        ("wrong", "field"),
        [
            ({"amount": "50.01"}, "amount"),
            ({"amount": "0.001"}, "amount"),
            ({"amount": ""}, "amount"),
            ({"amount": "0"}, "amount"),
            ({"amount": "-1"}, "amount"),
            ({"amount": "NaN"}, "amount"),
            ({"amount": "9" * 400}, "amount"),
            ({"amount": "1\0"}, "amount"),
            ({"ticket": ""}, "ticket"),
            ({"ticket": "\0"}, "ticket"),
        ],
    )
    def test_what_cannot_be_taken_is_reported(self, client: Client, payment: Payment, wrong: Any, field: str) -> None:
        answer = client.post(address("capture", payment), sent(client, address("capture", payment), **wrong))
        assert list(answer.context["form"].errors) == [field]
        assert (Capture.objects.exists(), Intent.objects.filter(act="capture").exists(), said()) == (False, False, [])

    def test_more_than_was_promised_is_refused_with_the_bound(self, client: Client, payment: Payment) -> None:
        answer = client.post(address("capture", payment), sent(client, address("capture", payment), amount="50.01"))
        form = answer.context["form"]
        assert form.errors == {"amount": ["Capture $50.01: the amount can be at most $50.00."]}
        assert (form.question, form["amount"].value()) == (None, "50.01")

    def test_what_another_took_after_the_question_is_refused_with_the_bound(
        self, client: Client, payment: Payment
    ) -> None:
        form = sent(client, address("capture", payment), amount="40")
        make.capturing.capture(actor=make.SYSTEM, payment_id=payment.pk, amount=Decimal(20))
        answer = client.post(address("capture", payment), form)
        assert refused(answer) == ["At most 30.00 usd of the payment can be captured"]

    def test_another_payment_is_asked_about_again(self, client: Client, payment: Payment) -> None:
        other = make.authorized_payment()
        answer = client.post(address("capture", other), sent(client, address("capture", payment), amount="20"))
        assert answer.context["form"].question.text == "Capture $20.00"
        assert not Capture.objects.exists()

    def test_a_refusal_keeps_what_was_typed_and_can_be_tried_again(
        self, client: Client, payment: Payment, provider: Script
    ) -> None:
        provider.declines("The card has expired")
        form = sent(client, address("capture", payment), amount="20")
        answer = client.post(address("capture", payment), form)
        assert refused(answer) == ["The payment provider refused: The card has expired"]
        assert answer.context["form"]["amount"].value() == "20"
        assert said() == ["Capture of $20.00: the provider refused: The card has expired"]
        provider.is_well()
        assert refused(client.post(address("capture", payment), form)) == refused(answer)  # it was asked by that form
        other = confirmed(client, address("capture", payment), again(answer, amount="21"))
        client.post(address("capture", payment), other)
        assert Capture.objects.get().amount == 21
        assert said()[1:] == ["Captured $21.00."]

    def test_one_that_does_not_answer_is_asked_again_and_moves_money_once(
        self, client: Client, payment: Payment, provider: Script
    ) -> None:
        provider.is_silent()
        answer = client.post(address("capture", payment), sent(client, address("capture", payment), amount="20"))
        assert refused(answer) == [
            "The payment provider pp_system_default is not responding; it will be retried automatically"
        ]
        assert answer.context["form"]["amount"].value() == "20"
        assert refused(client.post(address("capture", payment), again(answer))) == refused(answer)
        provider.is_well()
        other = confirmed(client, address("capture", payment), again(answer, amount="30"))
        assert refused(client.post(address("capture", payment), other)) == [SENT_BEFORE]
        assert reported(client.post(address("capture", payment), again(answer)))[-1] == "Captured $20.00."
        assert [(capture.amount, capture.created_by) for capture in Capture.objects.all()] == [(20, client.user.pk)]
        assert len({key for _, key, _ in provider.calls}) == 1
        assert said() == ["Capture of $20.00: the provider has not responded yet."]

    def test_one_that_somebody_is_asking_is_not_asked_again(
        self, client: Client, payment: Payment, provider: Script, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(intents, "WAIT_SECONDS", 0)
        provider.is_silent()
        answer = client.post(address("capture", payment), sent(client, address("capture", payment), amount="20"))
        Intent.objects.filter(done_at=None).update(error="", claimed_until=now() + timedelta(hours=1))
        assert refused(client.post(address("capture", payment), again(answer))) == [BUSY]
        assert provider.asked == ["capture"]

    def test_a_conflict_is_reported_in_words_of_the_screen(self, client: Client, payment: Payment) -> None:
        with patch("payments.movements.movements.lock_payment", side_effect=Conflict):
            answer = client.post(address("capture", payment), sent(client, address("capture", payment), amount="20"))
        assert refused(answer) == [BUSY]

    def test_another_capture_under_way_is_named(self, client: Client, payment: Payment, provider: Script) -> None:
        form = sent(client, address("capture", payment), amount="20")
        record_intent(payment.session_id, Act.CAPTURE, runs_now=True, amount=Decimal(5))
        under_way = "A capture of this payment is already under way; try again when it has finished"
        assert refused(client.post(address("capture", payment), form)) == [under_way]

    def test_a_history_that_cannot_be_written_hides_no_capture(self, client: Client, payment: Payment) -> None:
        form = sent(client, address("capture", payment), amount="20")
        with patch("payments.admin.provider_actions.lock_named", side_effect=Conflict):
            assert reported(client.post(address("capture", payment), form)) == ["Captured $20.00."]
        assert (Capture.objects.get().created_by, said()) == (client.user.pk, [])

    def test_only_who_may(self, client: Client, payment: Payment) -> None:
        form = sent(client, address("capture", payment))
        for permissions in ((), (VIEW,), ("payments.add_capture",), (VIEW, "payments.add_refund")):
            other = visitor(*permissions)
            assert other.get(address("capture", payment)).status_code == 403
            assert other.post(address("capture", payment), form).status_code == 403
        assert buttons(visitor(VIEW), payment) == []
        assert "Capture</a>" not in visitor(VIEW).get(page_of(payment.collection_id)).content.decode()
        assert not Capture.objects.exists()
        allowed = visitor(VIEW, "payments.add_capture")
        assert buttons(allowed, payment) == ["Capture"]
        assert "Capture</a>" in allowed.get(page_of(payment.collection_id)).content.decode()
        allowed.post(address("capture", payment), form)
        assert Capture.objects.get().amount == 50

    def test_nothing_is_offered_where_nothing_is_left(self, client: Client, payment: Payment) -> None:
        assert buttons(client, payment) == ["Capture"]
        make.capturing.capture(actor=make.SYSTEM, payment_id=payment.pk)
        assert buttons(client, payment) == ["Refund"]

    @pytest.mark.parametrize("key", ["pay_nothing", "a%00b"])
    def test_no_payment_is_not_found(self, client: Client, key: str) -> None:
        assert client.get(f"/admin/payments/payment/{key}/capture/").status_code == 404


class TestRefunding:
    @pytest.fixture
    def payment(self, db: None) -> Payment:
        return make.captured_payment(50)

    def test_it_goes_back_with_its_reason(self, client: Client, payment: Payment) -> None:
        reason = make.refund_reason(label="Broken")
        form = sent(client, address("refund", payment), amount="5", refund_reason=reason.pk, note="two cups")
        for _ in range(2):
            answer = client.post(address("refund", payment), form)
            assert answer["Location"] == page_of(payment.collection_id)
        refund = Refund.objects.get()
        assert (refund.amount, refund.refund_reason, refund.note) == (5, reason, "two cups")
        assert refund.created_by == client.user.pk
        assert said() == ["Refunded $5.00 (Broken)."]

    def test_it_needs_no_reason(self, client: Client, payment: Payment) -> None:
        client.post(address("refund", payment), sent(client, address("refund", payment)))
        refund = Refund.objects.get()
        assert (refund.amount, refund.refund_reason, refund.note) == (50, None, None)

    @pytest.mark.parametrize(
        ("wrong", "field"),
        [
            ({"amount": "50.01"}, "amount"),
            ({"refund_reason": "refr_nothing"}, "refund_reason"),
            ({"refund_reason": "a\0b"}, "refund_reason"),
            ({"note": "a\0b"}, "note"),
            ({"note": "x" * 1_001}, "note"),
        ],
    )
    def test_what_cannot_go_back_is_reported(self, client: Client, payment: Payment, wrong: Any, field: str) -> None:
        answer = client.post(address("refund", payment), sent(client, address("refund", payment), **wrong))
        assert list(answer.context["form"].errors) == [field]
        assert (Refund.objects.exists(), said()) == (False, [])

    def test_a_deleted_reason_is_not_offered(self, client: Client, payment: Payment) -> None:
        reason = make.refund_reason(deleted_at=now())
        assert reason.label not in client.get(address("refund", payment)).content.decode()
        form = sent(client, address("refund", payment), refund_reason=reason.pk)
        assert list(client.post(address("refund", payment), form).context["form"].errors) == ["refund_reason"]

    def test_only_who_may(self, payment: Payment) -> None:
        for permissions in ((VIEW,), ("payments.add_refund",), (VIEW, "payments.add_capture")):
            assert visitor(*permissions).get(address("refund", payment)).status_code == 403
        assert buttons(visitor(VIEW, "payments.add_refund"), payment) == ["Refund"]


class TestAuthorizing:
    @pytest.fixture
    def session(self, db: None) -> PaymentSession:
        return make.session(amount=50)

    def test_it_asks_first(self, client: Client, session: PaymentSession, provider: Script) -> None:
        page = client.get(address("authorize", session)).content.decode()
        assert "Authorize $50.00 with System default?" in page
        assert provider.asked == []
        answer = client.post(address("authorize", session), {"post": "yes"})
        assert answer["Location"] == page_of(session.collection_id)
        assert reported(answer) == ["Requested authorization of $50.00. The session is authorized."]
        assert said() == reported(answer)
        assert Intent.objects.get(act="authorize").created_by == client.user.pk

    def test_sent_twice_it_is_asked_once(self, client: Client, session: PaymentSession, provider: Script) -> None:
        answers = [client.post(address("authorize", session), {"post": "yes"}) for _ in range(2)]
        assert reported(answers[1])[-1] == "The payment session is authorized and cannot become authorized"
        assert (provider.asked, len(said())) == (["authorize"], 1)

    def test_a_refusal_is_reported(self, client: Client, session: PaymentSession, provider: Script) -> None:
        provider.declines("No funds")
        answer = client.post(address("authorize", session), {"post": "yes"})
        assert reported(answer) == ["Authorization of $50.00: the provider refused: No funds"]
        assert said() == reported(answer)

    def test_one_that_does_not_answer_is_reported(
        self, client: Client, session: PaymentSession, provider: Script, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(intents, "WAIT_SECONDS", 0)
        provider.is_silent()
        for _ in range(2):
            answer = client.post(address("authorize", session), {"post": "yes"})
            assert reported(answer)[-1] == "Authorization of $50.00: the provider has not responded yet."
        Intent.objects.filter(done_at=None).update(error="", claimed_until=now() + timedelta(hours=1))
        assert reported(client.post(address("authorize", session), {"post": "yes"}))[-1] == BUSY
        assert len(said()) == 1

    def test_only_who_may(self, session: PaymentSession) -> None:
        for permissions in ((VIEW,), ("payments.change_paymentsession",)):
            assert visitor(*permissions).post(address("authorize", session), {"post": "yes"}).status_code == 403
        assert buttons(visitor(VIEW), session) == []
        assert buttons(visitor(VIEW, "payments.change_paymentsession"), session) == ["Authorize"]
        assert PaymentSession.objects.get().status == "pending"


class TestCanceling:
    def test_it_asks_first(self, client: Client, payment: Payment) -> None:
        collection = payment.collection
        assert client.get(address("cancel", collection)).status_code == 200
        assert PaymentCollection.objects.get().status == "authorized"
        answer = client.post(address("cancel", collection), {"post": "yes"})
        assert answer["Location"] == page_of(collection.pk)
        assert PaymentCollection.objects.get().status == "canceled"
        assert said() == ["Canceled."]
        assert buttons(client, collection) == []

    def test_not_once_money_has_come(self, client: Client) -> None:
        collection = make.captured_payment().collection
        assert buttons(client, collection) == []
        answer = client.post(address("cancel", collection), {"post": "yes"})
        assert "is completed and cannot become canceled" in reported(answer)[-1]
        assert said() == []

    def test_only_who_may(self, payment: Payment) -> None:
        for permissions in ((VIEW,), ("payments.change_paymentcollection",)):
            assert visitor(*permissions).post(address("cancel", payment.collection), {"post": "yes"}).status_code == 403
        assert buttons(visitor(VIEW), payment.collection) == []
        assert buttons(visitor(VIEW, "payments.change_paymentcollection"), payment.collection) == ["Cancel"]


@contextmanager
def one_transaction() -> Iterator[None]:
    with transaction.atomic():
        yield


@pytest.mark.django_db(transaction=True)
class TestOutsideAnyTransaction:
    """Django serves its own forms within one; providers are never asked there."""

    def work(self) -> list[tuple[Client, str, Values]]:
        client, session = superuser(), make.session()
        made: list[tuple[Client, str, Values]] = [(client, address("authorize", session), {"post": ["yes"]})]
        for act, payment in (("capture", make.authorized_payment()), ("refund", make.captured_payment())):
            made.append((client, address(act, payment), sent(client, address(act, payment))))
        return made

    def test_providers_are_asked(self, provider: Script) -> None:
        work = self.work()
        provider.calls.clear()
        for client, where, form in work:
            assert client.post(where, form).status_code == 302
        assert provider.asked == ["authorize", "capture", "refund"]

    def test_within_one_the_verbs_would_refuse(self) -> None:
        """So that the test above can fail."""
        for client, where, form in self.work():
            post: Callable[[], Any] = lambda client=client, where=where, form=form: client.post(where, form)  # noqa: E731
            with one_transaction(), pytest.raises(RuntimeError, match="durable"):
                post()
