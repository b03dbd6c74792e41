"""Timestamps: kept to the millisecond, written alike whichever database tells them."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from django.db import connection

from catalog.models import ProductCategory
from kit.values.timestamps import iso, isoformat, now, to_millisecond

POSTGRESQL = [
    ("2026-11-21 07:24:08.12+00", "2026-11-21T07:24:08.120Z"),
    ("2026-11-21 07:24:08.1+00", "2026-11-21T07:24:08.100Z"),
    ("2026-11-21 07:24:08.123+00", "2026-11-21T07:24:08.123Z"),
    ("2026-11-21 07:24:08.001+00", "2026-11-21T07:24:08.001Z"),
    ("2026-11-21 07:24:08+00", "2026-11-21T07:24:08.000Z"),
    ("2026-11-21 07:24:08.1234+00", "2026-11-21T07:24:08.123Z"),
    ("2026-11-21 07:24:08.123456+00", "2026-11-21T07:24:08.123Z"),
    ("0001-01-01 00:00:00+00", "0001-01-01T00:00:00.000Z"),
    ("9999-12-31 23:59:59.999+00", "9999-12-31T23:59:59.999Z"),
]
SQLITE = [
    ("2026-11-21 07:24:08.120000", "2026-11-21T07:24:08.120Z"),
    ("2026-11-21 07:24:08.001000", "2026-11-21T07:24:08.001Z"),
    ("2026-11-21 07:24:08.123456", "2026-11-21T07:24:08.123Z"),
    ("2026-11-21 07:24:08", "2026-11-21T07:24:08.000Z"),
]


@pytest.mark.parametrize(("text", "expected"), POSTGRESQL + SQLITE)
def test_the_texts_of_both_databases_in_the_interfaces_form(text: str, expected: str) -> None:
    assert iso(text) == expected


@pytest.mark.django_db
@pytest.mark.parametrize("microsecond", [0, 1_000, 120_000, 123_000, 999_000])
def test_what_the_database_stores_is_reported_like_what_python_holds(microsecond: int) -> None:
    moment = datetime(2026, 11, 21, 7, 24, 8, microsecond, tzinfo=UTC)
    category = ProductCategory.objects.create(name="a", handle="a", path="a", is_visible=True, created_at=moment)
    with connection.cursor() as cursor:
        cursor.execute("SELECT CAST(created_at AS text) FROM catalog_productcategory WHERE id = %s", [category.pk])
        (text,) = cursor.fetchone()
    assert iso(text) == isoformat(moment)


@pytest.mark.parametrize(
    ("moment", "expected"),
    [
        (datetime(2026, 11, 21, 7, 24, 8, 999_999, tzinfo=UTC), "2026-11-21T07:24:08.999Z"),
        (datetime(2026, 1, 1, tzinfo=timezone(timedelta(hours=2))), "2025-12-31T22:00:00.000Z"),
    ],
)
def test_a_python_moment_in_the_interfaces_form(moment: datetime, expected: str) -> None:
    assert isoformat(moment) == expected


def test_microseconds_are_cut_not_rounded() -> None:
    assert to_millisecond(datetime(2026, 1, 1, 0, 0, 0, 999_999, tzinfo=UTC)).microsecond == 999_000


def test_now_is_utc_and_whole_milliseconds() -> None:
    assert now().tzinfo is UTC
    assert now().microsecond % 1000 == 0


@pytest.mark.django_db
def test_a_shown_timestamp_finds_its_row_again() -> None:
    moment = datetime(2026, 11, 21, 7, 24, 8, 123_456, tzinfo=UTC)
    category = ProductCategory.objects.create(name="a", handle="a", path="a", is_visible=True, created_at=moment)
    assert category.created_at == to_millisecond(moment)
    category.refresh_from_db()
    assert isoformat(category.created_at) == "2026-11-21T07:24:08.123Z"
    assert ProductCategory.objects.get(created_at=to_millisecond(moment)) == category
    assert ProductCategory.objects.get(created_at=moment) == category


@pytest.mark.django_db
def test_a_bulk_update_is_cut_to_milliseconds_as_well() -> None:
    category = ProductCategory.objects.create(name="a", handle="a", path="a", is_visible=True)
    moment = datetime(2026, 11, 21, 7, 24, 8, 123_456, tzinfo=UTC)
    ProductCategory.objects.filter(pk=category.pk).update(updated_at=moment)
    category.refresh_from_db()
    assert category.updated_at == to_millisecond(moment)
