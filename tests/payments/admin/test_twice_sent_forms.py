"""Forms that move money, sent more than once at the same time, as by a double click."""

from collections import Counter
from contextlib import suppress
from threading import Barrier, BrokenBarrierError

import pytest
from django.contrib.admin.models import LogEntry

from kit.values.ids import new_ulid
from payments.admin import provider_actions
from payments.admin.movement_forms import MovementForm
from payments.models import Capture, Payment
from tests.concurrency.test_twice_sent_forms import statuses
from tests.factories import payments as make
from tests.kit.admin.forms import sent
from tests.kit.admin.visits import superuser
from tests.payments.scripted import Script, provider

pytestmark = pytest.mark.django_db(transaction=True)
__all__ = ["provider"]


@pytest.fixture
def payment(provider: Script) -> Payment:
    """Of which twice as much could be taken as the form asks for."""
    made = make.authorized_payment(50)
    provider.calls.clear()
    return made


def capture_at_once(payment: Payment, *, threads: int = 4) -> Counter[int]:
    client, address = superuser(), f"/admin/payments/payment/{payment.pk}/capture/"
    return statuses(client, address, sent(client, address, amount="20"), threads=threads)


def test_money_is_taken_once_and_all_are_reported_so(payment: Payment, provider: Script) -> None:
    assert capture_at_once(payment) == {302: 4}
    assert (provider.asked, Capture.objects.get().amount) == (["capture"], 20)
    assert LogEntry.objects.count() == 1


class TestUnguarded:
    """What the proof above would find."""

    def test_without_the_ticket_it_is_taken_as_often_as_it_can(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """The provider is local, so that no capture is under way while another one begins."""
        monkeypatch.setattr(MovementForm, "digest", lambda *_: new_ulid())
        assert capture_at_once(make.authorized_payment(50)) == {302: 2, 200: 2}
        assert [capture.amount for capture in Capture.objects.all()] == [20, 20]

    @pytest.mark.postgresql
    def test_without_the_lock_it_stands_in_the_history_more_than_once(
        self, payment: Payment, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        together = Barrier(2)

        def meet(name: str) -> None:
            with suppress(BrokenBarrierError):
                together.wait(timeout=1)

        monkeypatch.setattr(provider_actions, "lock_named", meet)
        entries: list[int] = []
        for _ in range(5):
            capture_at_once(make.authorized_payment(50), threads=6)
            entries.append(LogEntry.objects.count())
            LogEntry.objects.all().delete()
            together.reset()
        assert max(entries) > 1
