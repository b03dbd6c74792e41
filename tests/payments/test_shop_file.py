"""The shop file's refund reasons."""

from pathlib import Path
from typing import Any

import pytest

from kit.values.timestamps import now
from payments.models import RefundReason
from tests.factories import payments as make
from tests.operations.shop_file_runs import ShopFiles, everything

pytestmark = pytest.mark.django_db

DAMAGED = {
    "id": "refr_01FILE",
    "code": "damaged",
    "label": "Arrived damaged",
    "description": "Broken on its way.",
    "metadata": {"a": 1.5},
    "created_at": "2026-01-31T12:00:00.250Z",
}
SHOP = {"refund_reasons": [DAMAGED, {"code": "goodwill", "label": "Goodwill"}]}


@pytest.fixture
def files(tmp_path: Path) -> ShopFiles:
    return ShopFiles(tmp_path)


def reasons(*changed: dict[str, Any]) -> dict[str, Any]:
    return {"refund_reasons": list(changed)}


def test_they_are_loaded_once(files: ShopFiles) -> None:
    assert files.load(SHOP) == ["refund_reasons: 2 created, 0 updated, 0 unchanged"]
    damaged, goodwill = RefundReason.objects.order_by("code")
    assert (damaged.pk, damaged.label, damaged.description, damaged.metadata) == (
        *("refr_01FILE", "Arrived damaged", "Broken on its way."),
        {"a": 1.5},
    )
    assert damaged.created_at.year == 2026
    assert (goodwill.label, goodwill.description, goodwill.metadata) == ("Goodwill", None, None)
    before = everything()
    assert files.load(SHOP) == ["refund_reasons: 0 created, 0 updated, 2 unchanged"]
    assert everything() == before


def test_what_is_said_changes_and_what_is_left_out_stays(files: ShopFiles) -> None:
    files.load(SHOP)
    files.load(reasons({"code": "damaged", "label": "Broken"}))
    files.load(reasons({"id": "refr_01FILE", "description": None}))
    damaged = RefundReason.objects.get(code="damaged")
    assert (damaged.label, damaged.description, damaged.metadata) == ("Broken", None, {"a": 1.5})
    assert RefundReason.objects.count() == 2


def test_a_dump_of_what_a_dump_has_loaded_is_the_same_to_the_byte(files: ShopFiles) -> None:
    files.load(SHOP)
    make.refund_reason("gone", deleted_at=now())
    first = files.dump("--only", "refund_reasons", name="first.json")
    assert [reason["code"] for reason in first["refund_reasons"]] == ["damaged", "goodwill"]
    RefundReason.objects.all().delete()
    files.run("load_shop", str(files.directory / "first.json"))
    files.dump("--only", "refund_reasons", name="second.json")
    assert (files.directory / "second.json").read_bytes() == (files.directory / "first.json").read_bytes()


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"label": "Late"}, "[0].code: is required"),
        ({"code": "late"}, "[0].label: is required"),
        ({"code": "", "label": "Late"}, "[0].code: must not be blank"),
        ({"code": "late", "label": " "}, "[0].label: must not be blank"),
        ({"code": "late", "label": 5}, "[0].label: expected a text, got 5"),
        ({"code": "l" * 256, "label": "Late"}, "[0].code: too long, expected at most: '255' characters"),
        ({"code": "late", "label": "Late", "reason": 1}, "[0].reason: unknown field"),
        ({"id": "ref_1", "code": "late"}, '[0].id: expected an id that begins with refr_, got "ref_1"'),
    ],
)
def test_what_is_wrong_is_reported_with_its_place(files: ShopFiles, given: dict[str, Any], problem: str) -> None:
    assert files.refused(reasons(given)) == [f"refund_reasons{problem}"]


def test_a_code_that_is_twice_in_the_file_is_reported(files: ShopFiles) -> None:
    late = {"code": "late", "label": "Late"}
    assert files.refused(reasons(late, late)) == ["refund_reasons[1]: 'late' already appears at refund_reasons[0]"]


def test_a_deleted_reason_frees_its_code_and_keeps_its_id(files: ShopFiles) -> None:
    gone = make.refund_reason("late", deleted_at=now())
    files.load(reasons({"code": "late", "label": "Late"}))
    assert RefundReason.objects.filter(code="late").count() == 2
    refusal = files.refused(reasons({"id": gone.pk, "code": "later", "label": "Late"}))
    assert refusal == ["refund_reasons[0].id: belongs to a deleted row"]
