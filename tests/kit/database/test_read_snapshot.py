"""What is read as of one moment, while others change it."""

import pytest
from django.db import DatabaseError, connection, transaction

from kit.database.read_snapshot import in_read_snapshot
from kit.errors import NotFound
from shop.models import SalesChannel
from tests.concurrency.crowd import at_once

pytestmark = pytest.mark.django_db(transaction=True)


def names() -> list[str]:
    return sorted(SalesChannel.objects.filter(name__startswith="Till").values_list("name", flat=True))


def change_elsewhere() -> None:
    at_once(lambda number: SalesChannel.objects.create(name=f"Till {SalesChannel.objects.count()}"), threads=1)


def read_twice() -> tuple[list[str], list[str]]:
    first = names()
    change_elsewhere()
    return first, names()


def test_what_others_change_meanwhile_is_not_seen() -> None:
    first, second = in_read_snapshot(read_twice)
    assert first == second == []
    assert len(names()) == 1  # it was written at once: nobody was held up


def test_without_it_two_statements_see_two_moments() -> None:
    first, second = read_twice()
    assert (len(first), len(second)) == (0, 1)


def test_inside_a_transaction_nothing_is_begun() -> None:
    with transaction.atomic():
        SalesChannel.objects.create(name="Till of this transaction")
        assert in_read_snapshot(names) == ["Till of this transaction"]


def test_after_a_refusal_the_connection_serves_on() -> None:
    def refuse() -> None:
        names()
        raise NotFound("nothing")

    with pytest.raises(NotFound):
        in_read_snapshot(refuse)
    SalesChannel.objects.create(name="Till")
    assert names() == ["Till"]


def test_after_a_failing_statement_the_connection_serves_on() -> None:
    def fail() -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT nothing FROM nowhere")

    with pytest.raises(DatabaseError):
        in_read_snapshot(fail)
    SalesChannel.objects.create(name="Till")
    assert names() == ["Till"]


@pytest.mark.postgresql
def test_it_changes_nothing() -> None:
    with pytest.raises(DatabaseError, match="read-only"):
        in_read_snapshot(lambda: SalesChannel.objects.create(name="Till"))
    assert names() == []
