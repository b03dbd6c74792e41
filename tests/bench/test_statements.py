"""The bench explains whatever requests ask of PostgreSQL."""

import pytest

from tests.bench.statements import plans

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]


def test_a_sum_of_parameters_is_explained() -> None:
    """Searches add up such sums; without types, PostgreSQL takes these for text."""
    (plan,) = plans([('SELECT CASE WHEN title = %s THEN %s END + %s FROM "catalog_product"', ("tea", 1, 2))])
    assert "Scan" in plan
