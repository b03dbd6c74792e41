"""Two members of staff who restore rows with the same unique value at the same moment."""

import threading
from contextlib import suppress

import pytest

from catalog.models import ProductTag
from commerce.core import living
from tests.admin.visits import history, superuser, told
from tests.concurrency.crowd import at_once
from tests.factories.products import ProductTagFactory

pytestmark = pytest.mark.django_db(transaction=True, serialized_rollback=True)


def test_of_two_one_comes_back_and_the_other_is_told_why_not(monkeypatch):
    middle, look = threading.Barrier(2), living.is_taken

    def look_together(*given):
        """Before either writes, where nothing keeps one of them waiting."""
        found = look(*given)
        with suppress(threading.BrokenBarrierError):
            middle.wait(timeout=1)
        return found

    tags = []
    for _ in range(2):
        tag = ProductTagFactory(value="New")
        living.delete(tag)
        tags.append(tag)
    clients = [superuser(), superuser()]
    monkeypatch.setattr(living, "is_taken", look_together)
    answers = at_once(
        lambda number: clients[number].post(f"/admin/catalog/producttag/{tags[number].pk}/restore/", {"post": "yes"}),
        threads=2,
    )
    assert sorted(told(answer)[-1] for answer in answers) == [
        "1 product tag restored.",
        "New: Product tag with value: New already exists",
    ]
    assert ProductTag.objects.alive().count() == 1
    assert len(history()) == 1
