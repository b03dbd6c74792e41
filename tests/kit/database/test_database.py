"""Statements run at the price of the driver: what comes back, and what a migration under a running server costs."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import NotSupportedError, connection, transaction

from kit.database.raw_sql import fetch


@pytest.mark.django_db
@pytest.mark.parametrize("value", ["a", "it's", "%s", "%", "$1", "é", "\\", "", "🙂"])
def test_values_are_parameters_and_never_text_of_the_statement(value: str) -> None:
    assert fetch("SELECT name FROM shop_saleschannel WHERE name = %s", [value]) == []
    assert fetch("SELECT CAST(%s AS text), 5", [value]) == [(value, 5)]


@pytest.mark.postgresql
@pytest.mark.django_db
def test_timestamps_and_json_come_as_text() -> None:
    ((moment, data),) = fetch("SELECT TIMESTAMPTZ '2026-03-01 12:00:00.25Z', '{\"a\": [1]}'::jsonb", [])
    assert (moment, data) == ("2026-03-01 12:00:00.25+00", '{"a": [1]}')


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
class TestATableThatIsMigratedUnderTheServer:
    SHELF = "SELECT * FROM test_shelf WHERE id > %s"

    @pytest.fixture(autouse=True)
    def shelf(self) -> Iterator[None]:
        self.run("CREATE TABLE test_shelf (id int)", "INSERT INTO test_shelf VALUES (1)")
        yield
        self.run("DROP TABLE test_shelf")

    def run(self, *texts: str) -> None:
        """On another connection, as a migration does."""
        other = connection.copy()
        with other.cursor() as cursor:
            for text in texts:
                cursor.execute(text)
        other.close()

    def warm(self) -> list[Any]:
        """The statement until the driver has prepared it."""
        return [fetch(self.SHELF, [0]) for _ in range(6)]

    def test_its_statements_are_prepared_again(self) -> None:
        assert self.warm() == [[(1,)]] * 6
        self.run("ALTER TABLE test_shelf ADD COLUMN name text DEFAULT 'a'")
        assert self.warm() == [[(1, "a")]] * 6

    def test_within_a_transaction_it_fails_since_the_work_so_far_cannot_be_repeated(self) -> None:
        self.warm()
        self.run("ALTER TABLE test_shelf ADD COLUMN name text DEFAULT 'a'")
        with transaction.atomic():
            fetch("SELECT 1", [])
            with pytest.raises(NotSupportedError):
                fetch(self.SHELF, [0])
            transaction.set_rollback(True)
        assert fetch(self.SHELF, [0]) == [(1, "a")]
