"""Rows that are put into a group while others are taken out."""

from typing import Any

import pytest
from django.db.models import QuerySet

from catalog.products.product_editing.details import VERBS as PRODUCTS
from kit.domain.actor import SYSTEM
from kit.editing import regrouping
from tests.factories.products import ProductCollectionFactory, ProductFactory

pytestmark = pytest.mark.django_db


def test_all_rows_are_locked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise two requests deadlock when one adds what the other removes."""
    collection = ProductCollectionFactory()
    inside, outside = ProductFactory(collection=collection), ProductFactory()
    locked, lock_rows = list[set[str]](), regrouping.lock_rows

    def seen(rows: QuerySet[Any]) -> list[Any]:
        held = lock_rows(rows)
        locked.append({row.pk for row in held})
        return held

    monkeypatch.setattr(regrouping, "lock_rows", seen)
    members = regrouping.Members(PRODUCTS, "collection", about="")
    members.change(actor=SYSTEM, id=collection.pk, add=[outside.pk], remove=[inside.pk])
    assert locked[0] == {inside.pk, outside.pk}
