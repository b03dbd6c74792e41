"""What must be true of the stored category tree at any moment, from parents alone; and trees to try it on."""

from collections import defaultdict
from datetime import UTC, datetime

from catalog.models import ProductCategory
from tests.factories.catalog import CategoryFactory

LONG_AGO = datetime(2020, 2, 2, tzinfo=UTC)


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
    """The names of the parent's children that are not deleted, by rank."""
    children = ProductCategory.objects.not_deleted().filter(parent_category=parent).order_by("rank")
    return [child.name for child in children]


def fresh(category: ProductCategory) -> ProductCategory:
    return ProductCategory.objects.get(pk=category.pk)


def age() -> None:
    """Make every row old, so that a moved updated_at shows."""
    ProductCategory.objects.update(updated_at=LONG_AGO)


def touched() -> set[str]:
    return set(ProductCategory.objects.exclude(updated_at=LONG_AGO).values_list("name", flat=True))


def chain_of(length: int) -> list[ProductCategory]:
    links: list[ProductCategory] = []
    for _ in range(length):
        links.append(CategoryFactory(parent=links[-1] if links else None))
    return links


def _chain(row: ProductCategory, rows: dict[str, ProductCategory]) -> list[ProductCategory]:
    """From the root to the row. A ring of parents ends it after as many rows as there are."""
    chain = [row]
    while chain[0].parent_category_id is not None and len(chain) <= len(rows):
        chain.insert(0, rows[chain[0].parent_category_id])
    return chain
