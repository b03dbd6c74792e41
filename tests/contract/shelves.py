"""A small category tree, and the ways to look at answers about it."""

from datetime import UTC, datetime, timedelta
from typing import Any

from django.db.models import F
from django.http import HttpResponse

from catalog.models import ProductCategory
from kit.values.metadata import Metadata
from tests.factories.catalog import CategoryFactory
from tests.factories.clock import at

PATH = "/store/product-categories"
START = datetime(2026, 3, 1, 12, 0, 0, 250_000, tzinfo=UTC)
NAMES = ["Food", "Fruit", "Apples", "Pears", "Vegetables", "Drinks", "Juice_A", "100% Juice"]
"""In the order of their making, a day apart: Food(Fruit(Apples Pears) Vegetables) Drinks(Juice_A 100% Juice)."""


def stock(*, metadata: Metadata | None = None) -> dict[str, ProductCategory]:
    """The categories by name; each has that metadata."""
    made: dict[str, ProductCategory] = {}
    described = [
        ("Food", None, "Everything to eat"),
        ("Fruit", "Food", "Sweet and fresh"),
        ("Apples", "Fruit", "red, green"),
        ("Pears", "Fruit", ""),
        ("Vegetables", "Food", "Fresh from the field"),
        ("Drinks", None, "Everything to drink"),
        ("Juice_A", "Drinks", "cloudy"),
        ("100% Juice", "Drinks", "not from concentrate"),
    ]
    for day, (name, parent, description) in enumerate(described):
        with at(START + timedelta(days=day)):
            made[name] = CategoryFactory(
                name=name,
                parent=parent and made[parent],
                description=description,
                metadata=metadata,
            )
    juice = made["100% Juice"]
    juice.handle = "100%-juice"  # of an older version: new ones have no signs that URLs escape
    ProductCategory.objects.filter(pk=juice.pk).update(handle=juice.handle)
    ProductCategory.objects.update(updated_at=F("created_at"))  # parents move with new children
    return made


def names(response: HttpResponse) -> list[str]:
    """The names on a page, which must have been asked for; the count must be theirs where the page holds all."""
    assert response.status_code == 200, response.content
    listed = response.json()
    assert listed["count"] == listed["estimate_count"]
    if listed["offset"] == 0 and len(listed["product_categories"]) < listed["limit"]:
        assert listed["count"] == len(listed["product_categories"])
    return [category["name"] for category in listed["product_categories"]]


def outline(answer: Any) -> str:
    """The keys of an object, and below relations those of their first object: `id parent_category(id name)`."""
    return " ".join(
        f"{key}({outline(value[0] if isinstance(value, list) else value)})"
        if isinstance(value, (list, dict)) and value
        else key
        for key, value in answer.items()
    )


def tree(answer: Any) -> str:
    """The names below an answer, however deep: `Food(Fruit Vegetables)`."""
    below = " ".join(tree(child) for child in answer.get("category_children", []))
    return f"{answer['name']}({below})" if below else str(answer["name"])
