"""The indexes of the tables that link products to tags and categories."""

import pytest
from django.db import connection

from tests.plugins.migrating import migrated_back

LINKS = {"catalog_product_tags": "producttag_id", "catalog_product_categories": "productcategory_id"}


def indexed(table: str) -> set[tuple[str, ...]]:
    """The columns of its indexes."""
    with connection.cursor() as cursor:
        found = connection.introspection.get_constraints(cursor, table).values()
    return {tuple(each["columns"]) for each in found if each["index"] or each["unique"] or each["primary_key"]}


@pytest.mark.django_db
@pytest.mark.parametrize(("table", "group"), LINKS.items())
def test_links_are_found_both_ways_by_indexes_that_have_the_other_side(table: str, group: str) -> None:
    """So no link has to be read. No index has only the first columns of another."""
    assert indexed(table) == {("id",), ("product_id", group), (group, "product_id")}


@pytest.mark.django_db(transaction=True)
@pytest.mark.every(4)
def test_the_migration_can_be_reversed() -> None:
    with migrated_back("catalog", "0017_stale_prices"):
        for table, group in LINKS.items():
            assert indexed(table) == {("id",), ("product_id", group), ("product_id",), (group,)}
    for table, group in LINKS.items():
        assert indexed(table) == {("id",), ("product_id", group), (group, "product_id")}
