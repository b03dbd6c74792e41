"""The shop file's return reasons, and the orders that it leaves out."""

from pathlib import Path
from typing import Any

import pytest

from orders.models import ReturnReason
from tests.factories import orders as make
from tests.operations.shop_file_runs import ShopFiles, everything

pytestmark = pytest.mark.django_db

SIZE = {
    "id": "rr_01FILE",
    "value": "size",
    "label": "Wrong size",
    "description": "It does not fit.",
    "metadata": {"a": 1.5},
    "created_at": "2026-01-31T12:00:00.250Z",
}
SMALL = {"value": "small", "label": "Too small", "parent": "size"}
SHOP = {"return_reasons": [SMALL, SIZE]}


@pytest.fixture
def files(tmp_path: Path) -> ShopFiles:
    return ShopFiles(tmp_path)


def reasons(*changed: dict[str, Any]) -> dict[str, Any]:
    return {"return_reasons": list(changed)}


def test_they_are_loaded_once_with_parents_in_any_order(files: ShopFiles) -> None:
    assert files.load(SHOP) == ["return_reasons: 2 created, 0 updated, 0 unchanged"]
    size, small = ReturnReason.objects.order_by("value")
    assert (size.pk, size.label, size.description, size.metadata) == (
        *("rr_01FILE", "Wrong size", "It does not fit."),
        {"a": 1.5},
    )
    assert (small.parent_return_reason, size.parent_return_reason) == (size, None)
    before = everything()
    assert files.load(SHOP) == ["return_reasons: 0 created, 0 updated, 2 unchanged"]
    assert everything() == before


def test_a_parent_is_left_changed_and_taken_away(files: ShopFiles) -> None:
    files.load(SHOP)
    small = ReturnReason.objects.get(value="small")
    files.load(reasons({"value": "small", "label": "Small"}))
    small.refresh_from_db()
    assert (small.label, small.parent_return_reason_id) == ("Small", "rr_01FILE")
    assert files.load(reasons({"value": "small", "parent": None})) == [
        "return_reasons: 0 created, 1 updated, 0 unchanged"
    ]
    small.refresh_from_db()
    assert small.parent_return_reason_id is None


def test_a_dump_of_what_a_dump_has_loaded_is_the_same(files: ShopFiles) -> None:
    files.load(SHOP)
    first = files.dump("--only", "return_reasons", name="first.json")
    assert {one["value"]: one["parent"] for one in first["return_reasons"]} == {"size": None, "small": "rr_01FILE"}
    ReturnReason.objects.exclude(parent_return_reason=None).delete()
    ReturnReason.objects.all().delete()
    files.load(first)
    assert files.dump("--only", "return_reasons", name="second.json") == first


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ([{"label": "Late"}], "[0].value: is required"),
        ([{"value": "late", "label": "Late", "parent": "none"}], "[0].parent: there is no return reason 'none'"),
        ([{"value": "late", "label": "Late", "parent": "late"}], "[0].parent: is below this reason"),
    ],
)
def test_what_is_wrong_is_reported_with_its_place(files: ShopFiles, given: list[Any], problem: str) -> None:
    assert files.refused(reasons(*given)) == [f"return_reasons{problem}"]


def test_a_circle_is_refused_at_each_of_its_reasons(files: ShopFiles) -> None:
    circle = reasons({**SMALL, "parent": "size"}, {**SIZE, "parent": "small"})
    assert files.refused(circle) == [f"return_reasons[{place}].parent: is below this reason" for place in (0, 1)]
    assert not ReturnReason.objects.exists()


def test_a_dump_says_how_many_orders_it_leaves_out(files: ShopFiles, tmp_path: Path) -> None:
    make.order()
    make.order()
    *counts, last = files.run("dump_shop", str(tmp_path / "shop.json"))
    assert last == "The file does not contain the 2 orders of the shop."
    assert not any(line.startswith("orders") for line in counts)
