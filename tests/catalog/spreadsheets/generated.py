"""Files of any number of generated products with 25 columns, one row for each."""

import csv
from collections.abc import Iterator
from pathlib import Path

LOCATION, LIST, CATEGORIES, TAGS = "Berlin", "Imported sale", 40, 60
HEADERS = (
    *("Product Handle", "Product Title", "Product Subtitle", "Product Description", "Product Status"),
    *("Product Weight", "Product Type", "Product Tag 1", "Product Tag 2", "Product Category 1", "Product External Id"),
    *("Product SEO Title", "Variant Title", "Variant SKU", "Variant Barcode", "Variant Weight"),
    *("Variant Option 1 Name", "Variant Option 1 Value", "Variant Option 2 Name", "Variant Option 2 Value"),
    *("Variant Price EUR", "Variant Price USD", f"Variant Stock {LOCATION}", f"Variant Stock Exported {LOCATION}"),
    "Product Image 1 Url",
)


def write(path: Path, number: int, *, is_changed: bool = False) -> None:
    """Write the file. is_changed: with another title, price and stock of each product, as who exported it would."""
    with path.open("w", newline="", encoding="utf-8-sig") as file:
        rows = csv.writer(file)
        rows.writerow(HEADERS)
        rows.writerows(rows_of(number, 1 if is_changed else 0))


def rows_of(number: int, change: int = 0) -> Iterator[tuple[object, ...]]:
    """Those of the file. change: 1 for changed products."""
    for one in range(number):
        yield (
            *(f"thing-{one}", f"Thing {one}{'!' * change}", f"The {one}th of its kind"),
            f"<p>Thing {one} is <strong>well made</strong>, and lasts for years. {'Really. ' * 20}</p>",
            *("published", 100 + one % 900, f"Type {one % 20}", f"Tag {one % TAGS}", f"Tag {(one + 7) % TAGS}"),
            *(f"category-{one % CATEGORIES}", f"external-{one}", f"Buy thing {one}"),
            *("S / Red", f"SKU-{one:06}", f"{4000000000000 + one}", 90 + one % 900, "Size", "S", "Color", "Red"),
            *(
                f"{10 + one % 90 + change}.50",
                f"{12 + one % 90}.99",
                10 + one % 7 + 3 * change,
                (10 + one % 7) * change,
            ),
            f"https://images.example.com/things/{one}.jpg",
        )
