"""After a big load PostgreSQL knows how much there is."""

import pytest
from django.db import connection

from tests.operations.shop_file_runs import ShopFiles

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]


def known_rows() -> float:
    with connection.cursor() as cursor:
        cursor.execute("SELECT reltuples FROM pg_class WHERE relname = 'catalog_producttag'")
        return float(cursor.fetchone()[0])


@pytest.mark.parametrize(("loaded", "known"), [(999, False), (1000, True)])
def test_the_planner_counts_a_big_load_at_once(loaded: int, known: bool, files: ShopFiles) -> None:
    before = known_rows()
    files.load({"product_tags": [{"value": f"tag {number}"} for number in range(loaded)]})
    assert (known_rows() == loaded) is known
    assert known or known_rows() == before
