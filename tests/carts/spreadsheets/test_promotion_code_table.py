"""The spreadsheet of promotion codes: adds codes with limits, and exports them with their uses."""

import pytest
from django.contrib.admin.models import LogEntry

from carts.models import Promotion, PromotionCode
from carts.promotions.code_batches import create_codes
from kit.domain.actor import SYSTEM
from kit.errors import Forbidden
from kit.spreadsheets.applying import apply, confirm
from staff.actors import staff_actor
from tests.catalog.spreadsheets.importing import (
    applied,
    exported,
    exported_by,
    lines,
    previewed,
    spreadsheet,
    undo_file,
)
from tests.factories.carts import PromotionFactory
from tests.factories.staff import UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def spring() -> Promotion:
    """Two codes of a batch open it, one of which looks like a number."""
    made = PromotionFactory(code="=SPRING")
    create_codes(actor=SYSTEM, promotion_id=made.pk, codes=["00123", "+B"], usage_limit=3)
    PromotionCode.objects.filter(code="+B").update(used=2)
    return made


def test_the_export_comes_back_without_changing_a_row(spring: Promotion) -> None:
    PromotionFactory(code="OWN")
    text, moments = exported("promotion_codes"), {*PromotionCode.objects.values_list("pk", "updated_at", "used")}

    assert text == lines("Promotion,Code,Usage Limit,Used", "'=SPRING,00123,3,0", "'=SPRING,'+B,3,2")
    assert exported("promotion_codes", promotion_id=spring.pk) == text
    assert spreadsheet(exported("promotion_codes", promotion_id="promo_1")) == []
    assert applied(text, spreadsheet="promotion_codes").done == {"unchanged": 2}
    assert {*PromotionCode.objects.values_list("pk", "updated_at", "used")} == moments


def test_codes_are_added_to_promotions(spring: Promotion) -> None:
    one = applied(
        lines("Code,Usage Limit", "0042,1", "C,", "D,1"), spreadsheet="promotion_codes", promotion_id=spring.pk
    )

    assert one.done == {"new": 3}
    codes = PromotionCode.objects.not_deleted().filter(promotion=spring).order_by("code")
    assert [*codes.values_list("code", "usage_limit", "used")] == [
        ("+B", 3, 2),
        ("00123", 3, 0),
        ("0042", 1, 0),
        ("C", None, 0),
        ("D", 1, 0),
    ]
    added = [*codes.exclude(code__in=["+B", "00123"]).values_list("pk", "code")]
    assert [*one.results.values_list("about", "label")] == added
    assert spreadsheet(undo_file(one)) == []


def test_problems_name_row_and_column(spring: Promotion) -> None:
    PromotionFactory(code="OTHER", has_codes=True)
    PromotionFactory(code="AUTO", is_automatic=True)

    one = previewed(
        lines(
            "Promotion,Code,Usage Limit",
            "=SPRING,00123,4",
            "OTHER,+b,3",
            "NO,X,1",
            "AUTO,X2,1",
            ",X3,1",
            "OTHER,,1",
            "OTHER,X4,0",
            "OTHER,X4,1",
        ),
        spreadsheet="promotion_codes",
    )

    assert one.counts == {"problem": 7, "rows": 8}
    assert one.problems == [
        [2, "Usage Limit", "The usage limit of an existing code cannot be changed."],
        [3, "Code", "Another promotion has this code. Enter a different one."],
        [4, "Promotion", "No promotion has this code or id."],
        [5, "Promotion", "This promotion applies automatically, so it has no codes."],
        [6, "Promotion", "Enter a promotion, or choose one for the whole file."],
        [7, "Code", "Enter a code."],
        [9, "", "Row 8 is about the same thing. Delete one of the two."],
        [8, "Usage Limit", "Enter a number from 1 to 2,147,483,647."],
    ]


def test_used_codes_do_not_begin_anew(spring: Promotion) -> None:
    one = previewed(
        lines("Promotion,Code,Usage Limit,Used", "=SPRING,X,1,1", "=SPRING,Y,1,0"), spreadsheet="promotion_codes"
    )

    assert one.counts == {"problem": 1, "new": 1, "rows": 2}
    assert one.problems == [[2, "Used", "This code has been used. To add it with no uses, leave this cell empty."]]


def test_a_promotions_own_code_is_not_replaced(spring: Promotion) -> None:
    """A first batch would silently end the code that customers know."""
    PromotionFactory(code="SUMMER")

    one = applied(lines("Promotion,Code", "SUMMER,SUMMER", "SUMMER,VIP-1"), spreadsheet="promotion_codes")

    assert one.done == {"unchanged": 1, "problem": 1}
    assert one.problems == [
        [
            *(3, "Promotion"),
            "Customers enter this promotion's own code, which would end. Choose “Make codes” on its page first.",
        ]
    ]
    assert PromotionCode.objects.not_deleted().filter(code="SUMMER").exists()


def test_a_code_that_is_taken_since_the_preview_is_left(spring: Promotion) -> None:
    other = PromotionFactory(code="OTHER")
    one = previewed(lines("Promotion,Code", "=SPRING,X", "=SPRING,Y"), spreadsheet="promotion_codes")
    create_codes(actor=SYSTEM, promotion_id=other.pk, codes=["x"])
    confirm(one)
    apply(one, actor=SYSTEM)

    assert one.done == {"new": 1, "problem": 1}
    assert [*one.results.values_list("label", "action")] == [("x", "problem"), ("Y", "new")]


def test_permissions_and_history(spring: Promotion) -> None:
    importing = {"carts.view_promotion", "carts.view_promotioncode", "carts.add_promotioncode"}
    for missing in importing:
        actor = staff_actor(UserFactory(permissions=importing - {missing}))
        with pytest.raises(Forbidden):
            previewed(lines("Promotion,Code", "=SPRING,X"), spreadsheet="promotion_codes", actor=actor)
    may = staff_actor(UserFactory(permissions=importing))
    assert applied(lines("Promotion,Code", "=SPRING,X"), spreadsheet="promotion_codes", actor=may).done == {"new": 1}
    with pytest.raises(Forbidden):
        exported_by(may, "promotion_codes")
    exporting = ["carts.view_promotioncode", "carts.export_promotioncode"]
    exported_by(staff_actor(UserFactory(permissions=exporting)), "promotion_codes")
    entry = LogEntry.objects.get()
    assert (entry.object_repr, entry.change_message) == ("Promotion codes", "Exported 3 rows")
