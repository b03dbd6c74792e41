"""Ids: a prefix and a ULID that sorts by the time of its making."""

import re
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import pytest
from django.db import connection

from catalog.models import ProductCategory
from giftcards.models import GiftCard
from kit.values import ids
from kit.values.ids import IdField, new_id, new_ulid

ULID = re.compile(r"[0-7][0-9A-HJKMNP-TV-Z]{25}")


def test_a_ulid_is_26_characters_of_crockford_base32() -> None:
    assert all(ULID.fullmatch(new_ulid()) for _ in range(1_000))


def test_its_first_ten_characters_are_the_milliseconds_since_1970(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ids, "_values", ids._Values())
    monkeypatch.setattr(time, "time_ns", lambda: 1_469_918_176_385_999_999)
    assert new_ulid().startswith("01ARYZ6S41")  # the example of the ULID specification


def test_later_ulids_sort_later_also_within_one_millisecond() -> None:
    made = [new_ulid() for _ in range(20_000)]
    assert made == sorted(set(made))


def test_they_sort_later_when_the_clock_is_set_back(monkeypatch: pytest.MonkeyPatch) -> None:
    before = new_ulid()
    an_hour_ago = time.time_ns() - 3600 * 10**9
    monkeypatch.setattr(time, "time_ns", lambda: an_hour_ago)
    after = [new_ulid() for _ in range(100)]
    assert [before, *after] == sorted({before, *after})


def test_threads_never_make_the_same_one() -> None:
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda _: [new_ulid() for _ in range(500)], range(8)))
    assert len({ulid for batch in made for ulid in batch}) == 4_000
    assert all(batch == sorted(batch) for batch in made)


def test_an_id_is_the_prefix_and_a_ulid() -> None:
    assert re.fullmatch(rf"pcat_{ULID.pattern}", new_id("pcat"))


class TestIdField:
    def test_each_row_gets_its_own_before_it_is_saved(self) -> None:
        first, second = ProductCategory(name="a"), ProductCategory(name="b")
        assert first.pk.startswith("pcat_")
        assert first.pk < second.pk

    def test_a_value_given_by_the_caller_is_kept(self) -> None:
        assert ProductCategory(id="my shop's own").pk == "my shop's own"

    def test_it_survives_a_migrations_writing_down(self) -> None:
        _, path, args, kwargs = IdField(prefix="pcat").deconstruct()
        assert (path, list(args), kwargs) == ("kit.values.ids.IdField", [], {"prefix": "pcat"})
        rebuilt: IdField[Any, Any] = IdField(*args, **kwargs)
        assert rebuilt.primary_key
        assert rebuilt.get_default().startswith("pcat_")

    @pytest.mark.django_db
    def test_ids_sort_byte_by_byte_in_the_database(self) -> None:
        odd = ["pcat_B", "pcat_a", "pcat_.", "pcat_/", "pcat_é"]
        for key in odd:
            ProductCategory.objects.create(id=key, name=key, handle=key, path=key, is_visible=True)
        stored = list(ProductCategory.objects.order_by("pk").values_list("pk", flat=True))
        assert stored == sorted(odd, key=str.encode)

    @pytest.mark.postgresql
    @pytest.mark.django_db
    def test_its_column_has_the_collation_c(self) -> None:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT table_name, collation_name FROM information_schema.columns"
                " WHERE table_schema = 'public' AND column_name = 'id' AND data_type = 'character varying'"
                " AND table_name IN ('catalog_productcategory', 'apikeys_apikey', 'shop_saleschannel')"
            )
            assert {collation for _, collation in cursor.fetchall()} == {"C"}

    def test_a_secret_one_says_nothing_of_the_next(self) -> None:
        made = [GiftCard().pk for _ in range(2_000)]
        assert all(re.fullmatch(rf"gcard_{ULID.pattern}", each) for each in made)
        # Half of the random characters differ in nearly all of the cases; of ids that count up, one or two.
        differing = [sum(a != b for a, b in zip(one, other, strict=True)) for one, other in pairwise(made)]
        assert min(differing) >= 8
