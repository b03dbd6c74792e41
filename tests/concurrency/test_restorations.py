"""Two members of staff who restore rows with the same unique value at the same moment."""

import threading
from contextlib import suppress

import pytest

from catalog.errors import DuplicateVariants
from catalog.models import ProductTag, ProductVariant
from catalog.products.product_editing import variant_details
from kit.domain import soft_deletion
from kit.domain.actor import SYSTEM
from kit.editing import deletion
from tests.concurrency.crowd import at_once
from tests.factories.products import OptionFactory, ProductTagFactory, VariantFactory
from tests.kit.admin.visits import history, reported, superuser

pytestmark = pytest.mark.django_db(transaction=True)


def test_of_two_one_comes_back_and_the_other_is_refused_with_the_reason(monkeypatch):
    middle, look = threading.Barrier(2), deletion.taken

    def look_together(*given):
        """Before either writes, where nothing keeps one of them waiting."""
        found = look(*given)
        with suppress(threading.BrokenBarrierError):
            middle.wait(timeout=1)
        return found

    tags = []
    for _ in range(2):
        tag = ProductTagFactory(value="New")
        soft_deletion.delete(tag)
        tags.append(tag)
    clients = [superuser(), superuser()]
    monkeypatch.setattr(deletion, "taken", look_together)
    answers = at_once(
        lambda number: clients[number].post(f"/admin/catalog/producttag/{tags[number].pk}/restore/", {"post": "yes"}),
        threads=2,
    )
    assert sorted(reported(answer)[-1] for answer in answers) == [
        "1 product tag restored.",
        "New: Product tag with value: New already exists",
    ]
    assert ProductTag.objects.not_deleted().count() == 1
    assert len(history()) == 1


def test_of_two_equal_variants_one_comes_back(monkeypatch):
    middle, compare = threading.Barrier(2), variant_details.require_distinct

    def compare_together(values):
        """After both have written, where nothing keeps one of them waiting."""
        compare(values)
        with suppress(threading.BrokenBarrierError):
            middle.wait(timeout=1)

    small = OptionFactory(title="Size", values=["S"]).values.get()
    twins = [VariantFactory(product=small.option.product, title="Small", options=[small]) for _ in range(2)]
    variant_details.VERBS.delete(actor=SYSTEM, ids=[twin.pk for twin in twins])
    monkeypatch.setattr(variant_details, "require_distinct", compare_together)

    def came_back(number: int) -> bool:
        try:
            variant_details.VERBS.restore(actor=SYSTEM, ids=[twins[number].pk])
        except DuplicateVariants:
            return False
        return True

    assert sorted(at_once(came_back, threads=2)) == [False, True]
    assert ProductVariant.objects.not_deleted().count() == 1
