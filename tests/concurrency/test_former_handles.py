"""Products that change their handles at the same time."""

from random import Random

import pytest

from catalog.models import FormerProductHandle, Product
from catalog.products.product_editing import details
from kit.domain.actor import SYSTEM
from kit.editing.states import RowsRefused
from tests.concurrency.crowd import at_once
from tests.factories.products import ProductFactory

THREADS = 4
CHANGES = 15
HANDLES = [f"tea-{number}" for number in range(5)]


@pytest.mark.django_db(transaction=True)
def test_each_handle_leads_to_one_product() -> None:
    """Each thread takes handles that the others have just given up, for two of three products at once."""
    keys = [ProductFactory(handle=handle).pk for handle in ("a", "b", "c")]

    def rename(thread: int) -> int:
        chance, done = Random(thread), 0  # noqa: S311 - a walk that can be walked again
        for _ in range(CHANGES):
            wanted = zip(chance.sample(keys, 2), chance.sample(HANDLES, 2), strict=True)
            try:
                details.VERBS.put(
                    actor=SYSTEM, states=[details.VERBS.state(id=key, handle=handle) for key, handle in wanted]
                )
            except RowsRefused:
                continue
            done += 1
        return done

    assert sum(at_once(rename, threads=THREADS)) > THREADS
    present = dict(Product.objects.values_list("handle", "pk"))
    former = dict(FormerProductHandle.objects.values_list("handle", "owner"))
    assert not present.items() & former.items()
    assert {"a", "b", "c"} <= present.keys() | former.keys() <= {"a", "b", "c", *HANDLES}
