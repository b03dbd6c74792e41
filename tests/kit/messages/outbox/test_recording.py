"""An event is written in the transaction of what it reports. Case 36 of the orders' test cases."""

from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.db.transaction import TransactionManagementError
from django.test.utils import CaptureQueriesContext

from kit.messages.outbox.expiry import discard_expired
from kit.messages.outbox.models import Event
from kit.messages.outbox.recording import record_event
from tests.factories import webhooks as make
from tests.factories.clock import at


@pytest.mark.django_db(transaction=True)
class TestTheTransaction:
    def test_36_the_event_is_there_if_it_commits(self) -> None:
        with transaction.atomic():
            record_event("order.placed", about="order_1", data={})
        assert Event.objects.get().about == "order_1"

    def test_36_and_not_there_if_it_is_rolled_back(self) -> None:
        with transaction.atomic():
            record_event("order.placed", about="order_1", data={})
            transaction.set_rollback(True)
        assert not Event.objects.exists()

    def test_without_one_it_is_refused(self) -> None:
        with pytest.raises(TransactionManagementError):
            record_event("order.placed", about="order_1", data={})
        assert not Event.objects.exists()


@pytest.mark.django_db
class TestTheRow:
    def test_it_costs_one_statement(self) -> None:
        with transaction.atomic(), CaptureQueriesContext(connection) as queries:
            record_event("order.placed", about="order_1", order_of="order_1", data={"cart_id": "cart_1"})
        (query,) = (query["sql"] for query in queries if "SAVEPOINT" not in query["sql"])
        assert query.startswith('INSERT INTO "outbox_event"')

    def test_it_holds_ids_and_the_moment(self) -> None:
        with at(make.MOMENT):
            event = make.event("order_1", order_of="order_1", cart_id="cart_1")
        stored = Event.objects.get()
        assert stored.event_id.startswith("evt_")
        assert (stored.pk, stored.event_id) == (event.pk, event.event_id)
        assert (stored.name, stored.about, stored.order_of) == ("order.placed", "order_1", "order_1")
        assert stored.data == {"id": "order_1", "cart_id": "cart_1"}
        assert stored.created_at == make.MOMENT

    def test_numbers_rise_whatever_the_clock_says(self) -> None:
        with at(make.MOMENT):
            first = make.event()
        with at(make.later(hours=-1)):
            assert make.event().number > first.number

    def test_an_unknown_name_is_refused(self) -> None:
        with pytest.raises(ValueError, match=r"does not register the event name order\.lost"):
            make.event(name="order.lost")

    def test_it_is_kept_for_thirty_days(self) -> None:
        with at(make.MOMENT):
            make.event("order_1")
        with at(make.later(hours=1)):
            make.event("order_2")
        with at(make.MOMENT + timedelta(days=30, minutes=1)):
            assert discard_expired() == 1
        assert [event.about for event in Event.objects.all()] == ["order_2"]
