"""What must be true of the stored category tree at any moment, worked out from parents alone."""

from collections import defaultdict

from catalog.models import ProductCategory


def faults() -> list[str]:
    """Every stored path, rank and flag that does not follow from parents, order and the rows' own flags."""
    rows = {row.pk: row for row in ProductCategory.objects.all()}
    found = []
    ranks: dict[str | None, list[int]] = defaultdict(list)
    for row in rows.values():
        chain = _chain(row, rows)
        expected = {
            "path": ".".join(link.pk for link in chain),
            "is_visible": all(link.is_active and not link.is_internal for link in chain),
            "in_deleted_branch": any(link.deleted_at for link in chain),
        }
        wrong = [field for field in expected if getattr(row, field) != expected[field]]
        found += [f"{row.name}: {field} is {getattr(row, field)}" for field in wrong]
        if row.deleted_at is None:
            ranks[row.parent_category_id].append(row.rank)
    return found + [
        f"ranks below {parent}: {sorted(taken)}"
        for parent, taken in ranks.items()
        if sorted(taken) != list(range(len(taken)))
    ]


def outline(parent: ProductCategory | None = None) -> list[str]:
    """The names of the parent's living children in the order of their ranks."""
    children = ProductCategory.objects.alive().filter(parent_category=parent).order_by("rank")
    return [child.name for child in children]


def _chain(row: ProductCategory, rows: dict[str, ProductCategory]) -> list[ProductCategory]:
    """From the root to the row. A ring of parents ends it after as many rows as there are."""
    chain = [row]
    while chain[0].parent_category_id is not None and len(chain) <= len(rows):
        chain.insert(0, rows[chain[0].parent_category_id])
    return chain
