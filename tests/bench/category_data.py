"""Categories: the real taxonomy, or generated ones of its shape; the same ones each time."""

import random
import sys
from bisect import bisect_left
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

import orjson
from django.core.management import call_command

from catalog.models import ProductCategory
from tests.shared_data import TAXONOMY

# How many of the real taxonomy's categories stand on each of its seven levels.
LEVELS = (21, 192, 1349, 2203, 1382, 390, 58)
TREES = 1041
PAGE = 50


def fill_categories(size: int) -> str | None:
    """That many categories; the real taxonomy for size 0. Returns the remark on what replaces it if it is missing."""
    if size == 0 and TAXONOMY.exists():
        call_command("load_shop", str(TAXONOMY), stdout=sys.stderr)
        return None
    with NamedTemporaryFile(suffix=".shop.json") as file:
        file.write(orjson.dumps({"product_categories": _generated(size or sum(LEVELS))}))
        file.flush()
        call_command("load_shop", file.name, stdout=sys.stderr)
    return None if size else replaced(TAXONOMY)


def replaced(file: Path) -> str:
    """The remark on data that replace those of the file, which stands in the log, too."""
    remark = f"generated: {file} is missing"
    sys.stderr.write(f"{remark}\n")
    return remark


def category_facts() -> dict[str, Any]:
    """What the cases' requests name."""
    count = ProductCategory.objects.count()
    middle = ProductCategory.objects.order_by("id")[count // 2]
    offset, trees = _tree_page()
    return {
        "count": count,
        "deep_offset": count - 100,
        "id": middle.pk,
        "handle": middle.handle,
        "word": middle.handle.split("-")[-1],
        "trees_offset": offset,
        "trees": trees,
    }


def _generated(count: int) -> list[dict[str, Any]]:
    """Spread over the levels like the real ones."""
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


def _tree_page() -> tuple[int, int]:
    """The offset, by name, of the page whose categories and all descendants are nearest to TREES, and how many."""
    by_path = sorted(ProductCategory.objects.values_list("path", flat=True))
    by_name = list(ProductCategory.objects.order_by("name", "id").values_list("path", flat=True))

    def size(offset: int) -> int:
        page = by_name[offset : offset + PAGE]
        tops = [path for path in page if not any(path.startswith(f"{other}.") for other in page)]
        return sum(bisect_left(by_path, f"{top}/") - bisect_left(by_path, top) for top in tops)

    offset = min(range(0, min(len(by_name) - PAGE, 6000), 10), key=lambda each: abs(size(each) - TREES))
    return offset, size(offset)
