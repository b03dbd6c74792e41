"""`python -m tests.carts.promotions`: what promotions cost each change of a cart.

In a new SQLite database in memory, or with `--postgresql` on a server of its own. Figures are milliseconds of CPU of
this process, medians of blocks: of a change of one line in a cart of five, and of a code that is entered in one without
codes. SQLite works in the process, PostgreSQL does not.
`--only-none` stops after the shop without promotions, for versions of the shop that have no batches of codes.
"""

import atexit
import os
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count, cycle
from typing import Any

import django

from tests.plugins.clusters import Cluster, find_programs

database = {"DATABASE_URL": "sqlite://:memory:"}
if "--postgresql" in sys.argv:
    if (programs := find_programs()) is None:
        sys.exit("PostgreSQL is not installed: set PG_BIN.")
    cluster = Cluster(programs)
    atexit.register(cluster.stop)
    database = {"DATABASE_URL": cluster.url, "DATABASE_SOCKET": str(cluster.socket)}
os.environ.update(database, COMMERCE_ENV="development", DJANGO_SETTINGS_MODULE="commerce.settings", LOG_LEVEL="ERROR")
django.setup()

from django.core.management import call_command
from django.db import connection, transaction

from carts.lines import line_change
from carts.lines.lines import NewLineItem
from carts.models import Cart, Promotion
from tests.factories.carts import cart, shopper, sold_variant
from tests.factories.products import ProductCollectionFactory, ProductFactory

AUTOMATIC, MATCHING, CODES = 1_000, 3, 100_000
WARM_UP, TURNS, BLOCKS = 20, 10, 50


def main() -> None:
    call_command("migrate", verbosity=0)
    sold = ProductCollectionFactory()
    cart_id = cart(*(NewLineItem(sold_variant(10, product=ProductFactory(collection=sold)).pk, 1) for _ in range(5))).pk
    change = _grown(cart_id)
    _print("no promotions", change)
    if "--only-none" in sys.argv:
        return
    matching = _automatic([sold.pk] * MATCHING, "few")
    _print(f"{MATCHING} for the cart, alone", change)
    coded = _coded()
    _print("a code, one of 10", *_entered(cart_id, _codes(coded, 10)))
    codes = [_codes(coded, 10_000) for _ in range(CODES // 10_000)][-1]
    _analyze()
    _print(f"a code, one of {CODES}", *_entered(cart_id, codes))
    _automatic([ProductCollectionFactory().pk for _ in range(AUTOMATIC - MATCHING)], "many")
    _analyze()
    _print(f"{MATCHING} of {AUTOMATIC} for the cart", change)
    Promotion.objects.filter(pk__in=matching).update(status="inactive")
    _print(f"none of {AUTOMATIC - MATCHING} for the cart", change)


def _grown(cart_id: str) -> Callable[[], None]:
    line_id, quantity = Cart.objects.get(pk=cart_id).items.order_by("pk")[0].pk, count(2)
    return lambda: line_change.change(actor=shopper(), cart_id=cart_id, line_id=line_id, quantity=next(quantity))


def _entered(cart_id: str, codes: list[str]) -> tuple[Callable[[], None], Callable[[], object]]:
    """Entering each of these codes in turn, and taking it out again."""
    from carts.details import promotion_codes  # noqa: PLC0415 - other versions stop before

    entered, removed = cycle(codes), cycle(codes)
    return (
        lambda: promotion_codes.add(actor=shopper(), cart_id=cart_id, promo_codes=[next(entered)]),
        lambda: promotion_codes.remove(actor=shopper(), cart_id=cart_id, promo_codes=[next(removed)]),
    )


def _analyze() -> None:
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


@transaction.atomic
def _automatic(collections: Sequence[str], name: str) -> list[str]:
    """One for each of the collections; their ids."""
    from carts.promotions.promotion_editing import VERBS  # noqa: PLC0415 - as above
    from kit.domain.actor import SYSTEM  # noqa: PLC0415 - as above

    rule = {"attribute": "items.product.collection_id", "operator": "in"}
    terms: dict[str, Any] = {"type": "percentage", "target_type": "items", "allocation": "each"}
    states = [
        VERBS.state(
            code=f"{name} {index}",
            is_automatic=True,
            value=1 + index % 9,
            target_rules=[{**rule, "values": [collection]}],
            **terms,
        )
        for index, collection in enumerate(collections)
    ]
    return [each.row.pk for each in VERBS.put(actor=SYSTEM, states=states)]


def _coded() -> str:
    from carts.promotions.promotion_editing import VERBS  # noqa: PLC0415 - as above
    from kit.domain.actor import SYSTEM  # noqa: PLC0415 - as above

    return VERBS.create(actor=SYSTEM, code="BATCH", type="percentage", value=1, target_type="order", allocation=None).pk


def _codes(promotion_id: str, number: int) -> list[str]:
    from carts.promotions.code_batches import create_codes  # noqa: PLC0415 - as above
    from kit.domain.actor import SYSTEM  # noqa: PLC0415 - as above

    return create_codes(actor=SYSTEM, promotion_id=promotion_id, count=number)


def _print(title: str, work: Callable[[], object], undo: Callable[[], object] = int) -> None:
    """undo: what is done after each turn, and not measured."""
    for _ in range(WARM_UP):
        work()
        undo()
    with _counted() as statements:
        work()
    undo()
    blocks = [_milliseconds(work, undo) for _ in range(BLOCKS)]
    figures = f"{statistics.median(blocks):.2f} ms (best {min(blocks):.2f}), {len(statements)} statements"
    sys.stdout.write(f"{title}: {figures}\n")
    sys.stdout.flush()


def _milliseconds(work: Callable[[], object], undo: Callable[[], object]) -> float:
    spent = 0.0
    for _ in range(TURNS):
        begin = time.process_time()
        work()
        spent += time.process_time() - begin
        undo()
    return spent * 1000 / TURNS


@contextmanager
def _counted() -> Iterator[list[str]]:
    seen: list[str] = []

    def note(execute: Callable[..., Any], text: str, *rest: Any) -> Any:
        if not text.startswith(("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE")):
            seen.append(text)
        return execute(text, *rest)

    with connection.execute_wrapper(note):
        yield seen


if __name__ == "__main__":
    main()
