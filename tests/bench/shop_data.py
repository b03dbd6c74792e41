"""Fills a database for the bench: `python -m tests.bench.shop_data COUNT`, in that database's environment.

COUNT 0 is the real taxonomy; any other makes that many categories of its shape. Writes as JSON what the cases need to
know of the data.
"""

import random
import sys
from bisect import bisect_left
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

import django
import orjson

django.setup()

from django.core.management import call_command  # noqa: E402 - Django's apps must be ready first
from django.db import connection  # noqa: E402

from apikeys.issuance import issue  # noqa: E402
from catalog.models import ProductCategory  # noqa: E402
from commerce.core.actor import SYSTEM  # noqa: E402
from commerce.staff.models import User  # noqa: E402

TAXONOMY = Path(__file__).parents[3] / "shared" / "data" / "google-taxonomy.shop.json.gz"
# How many of the real taxonomy's categories stand on each of its seven levels.
LEVELS = (21, 192, 1349, 2203, 1382, 390, 58)
TREES = 1041
PAGE = 50


@dataclass(frozen=True)
class Facts:
    """What the requests of the cases name."""

    publishable: str
    secret: str
    count: int
    id: str
    handle: str
    word: str
    trees_offset: int
    trees: int


def generated(count: int) -> list[dict[str, Any]]:
    """That many categories, spread over the levels like the real ones; the same ones each time."""
    dice = random.Random(count)  # noqa: S311 - a shape, not a secret
    above: list[str] = []
    made: list[dict[str, Any]] = []
    children: dict[str | None, int] = {}
    for depth, share in enumerate(LEVELS):
        level = [f"level-{depth}-{number}" for number in range(max(1, round(count * share / sum(LEVELS))))]
        for number, handle in enumerate(level):
            parent = dice.choice(above) if above else None
            rank = children[parent] = children.get(parent, -1) + 1
            name = f"{handle.replace('-', ' ').capitalize()} things"
            made.append({"handle": handle, "name": name, "parent": parent, "rank": rank, "metadata": {"n": number}})
        above = level
    return made


def load(count: int) -> None:
    if count == 0 and TAXONOMY.exists():
        call_command("load_shop", str(TAXONOMY), stdout=sys.stderr)
        return
    with NamedTemporaryFile(suffix=".shop.json") as file:
        file.write(orjson.dumps({"product_categories": generated(count or sum(LEVELS))}))
        file.flush()
        call_command("load_shop", file.name, stdout=sys.stderr)


def tree_page() -> tuple[int, int]:
    """The offset, by name, of the page whose categories and all descendants are nearest to TREES, and how many."""
    by_path = sorted(ProductCategory.objects.values_list("path", flat=True))
    by_name = list(ProductCategory.objects.order_by("name", "id").values_list("path", flat=True))

    def size(offset: int) -> int:
        page = by_name[offset : offset + PAGE]
        tops = [path for path in page if not any(path.startswith(f"{other}.") for other in page)]
        return sum(bisect_left(by_path, f"{top}/") - bisect_left(by_path, top) for top in tops)

    offset = min(range(0, min(len(by_name) - PAGE, 6000), 10), key=lambda each: abs(size(each) - TREES))
    return offset, size(offset)


def main() -> None:
    call_command("migrate", verbosity=0)
    load(int(sys.argv[1]))
    user = User.objects.create_superuser("bench@shop.example")
    middle = ProductCategory.objects.order_by("id")[ProductCategory.objects.count() // 2]
    offset, trees = tree_page()
    facts = Facts(
        publishable=issue(actor=SYSTEM, title="Bench", type="publishable").token,
        secret=issue(actor=SYSTEM, title="Bench", type="secret", created_by=user.pk).token,
        count=ProductCategory.objects.count(),
        id=middle.pk,
        handle=middle.handle,
        word=middle.handle.split("-")[-1],
        trees_offset=offset,
        trees=trees,
    )
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE" if connection.vendor == "postgresql" else "ANALYZE")
    sys.stdout.buffer.write(orjson.dumps(asdict(facts)))


if __name__ == "__main__":
    main()
