from random import Random

import pytest

from catalog.categories import category_tree
from catalog.errors import CategoryHasChildren, CategoryNotFound, MoveIntoOwnBranch, ParentCategoryNotFound
from catalog.models import ProductCategory
from kit.domain.actor import SYSTEM
from tests.catalog.trees import faults
from tests.concurrency.crowd import at_once
from tests.factories.catalog import CategoryFactory

THREADS = 4
CHANGES = 25
REFUSALS = (CategoryHasChildren, CategoryNotFound, MoveIntoOwnBranch, ParentCategoryNotFound)


@pytest.mark.django_db(transaction=True)
def test_concurrent_changes_keep_the_tree_whole():
    ids: list[str] = []
    for number in range(16):
        parent = ProductCategory.objects.get(pk=ids[number // 3]) if number > 3 else None
        ids.append(CategoryFactory(parent=parent).pk)

    def wander(thread: int) -> int:
        chance = Random(thread)  # noqa: S311 - a walk that can be walked again
        return sum(changed(chance, ids) for _ in range(CHANGES))

    done = at_once(wander, threads=THREADS)
    assert faults() == []
    assert sum(done) > THREADS * CHANGES / 3


def changed(chance: Random, ids: list[str]) -> bool:
    """One random change; whether the tree allowed it."""
    category_id, other_id = chance.sample(ids, 2)
    parent_id = chance.choice([None, other_id, other_id])
    try:
        match chance.randrange(6):
            case 0:
                category_tree.create(actor=SYSTEM, name=f"New {chance.random()}", parent_id=parent_id, rank=0)
            case 1:
                category_tree.update(actor=SYSTEM, category_id=category_id, is_active=chance.random() < 0.7)
            case 2:
                category_tree.delete(actor=SYSTEM, category_id=category_id)
            case _:
                category_tree.move(actor=SYSTEM, category_id=category_id, parent_id=parent_id, rank=chance.randrange(4))
    except REFUSALS:
        return False
    return True
