"""Batches of codes: made by staff and programs, entered by shoppers."""

from pathlib import Path
from typing import Any

import pytest

from carts.models import Promotion, PromotionCode
from carts.promotions import code_batches
from carts.promotions.code_batches import LETTERS, create_codes, csv_lines
from carts.promotions.promotion_editing import VERBS
from kit.domain.actor import SYSTEM
from kit.domain.soft_deletion import ValueTaken
from kit.errors import InvalidData
from kit.values.csv_format import PLAIN, CsvFormat
from tests.architecture.test_query_budgets import statements
from tests.contract.callers import Caller
from tests.contract.conftest import admin, store
from tests.factories.carts import PromotionFactory, cart, sold_variant
from tests.kit.graphql.calls import ask
from tests.operations.shop_file_runs import ShopFiles

pytestmark = pytest.mark.django_db

__all__ = ["admin", "store"]


def promotion(**values: Any) -> Promotion:
    """Off the order, with its own code."""
    [edited] = VERBS.put(
        actor=SYSTEM,
        states=[VERBS.state(type="percentage", value=10, target_type="order", allocation=None, **values)],
    )
    return edited.row


def ids_of(row: Promotion) -> list[str]:
    """Of the codes that open it."""
    return [*PromotionCode.objects.not_deleted().filter(promotion=row).order_by("pk").values_list("pk", flat=True)]


def enter(store: Caller, code: str) -> Any:
    """The answer to the code in a new cart of 100.00."""
    made = cart(sold_variant(100))
    return store.post(f"/store/carts/{made.pk}/promotions", {"promo_codes": [code]})


def test_random_codes_have_their_letters_and_are_never_made_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    row, other = promotion(code="SPRING"), promotion(code="AUTUMN")
    codes = create_codes(actor=SYSTEM, promotion_id=row.pk, count=500, prefix="Spring-")
    assert len({*codes}) == 500
    assert {code[:7] for code in codes} == {"Spring-"}
    assert {len(code) for code in codes} == {17}
    assert {*"".join(code[7:] for code in codes)} == {*LETTERS}
    assert (len(LETTERS), {*"01IO"} & {*LETTERS}) == (32, set())

    drawn = iter("A" * 8 + "B" * 8 + "A" * 8 + "C" * 8)
    monkeypatch.setattr("carts.promotions.code_batches.secrets.choice", lambda letters: next(drawn))
    create_codes(actor=SYSTEM, promotion_id=row.pk, count=1, length=8)
    assert create_codes(actor=SYSTEM, promotion_id=other.pk, count=2, length=8) == ["BBBBBBBB", "CCCCCCCC"]


def test_from_the_first_code_on_its_own_is_only_a_name(store: Caller) -> None:
    row = promotion(code="SPRING")
    assert enter(store, "spring").json()["cart"]["total"] == 90
    [code] = create_codes(actor=SYSTEM, promotion_id=row.pk, codes=["Partner 7"], usage_limit=1)
    assert enter(store, "SPRING").json() == {
        "type": "invalid_data",
        "message": "The promotion code SPRING is invalid",
    }
    answer = enter(store, " partner 7 ").json()["cart"]
    assert answer["total"] == 90
    code_batches.VERBS.delete(actor=SYSTEM, ids=ids_of(row))
    assert enter(store, code).status_code == 400


def test_codes_return_with_their_promotion() -> None:
    row = promotion(code="SPRING")
    create_codes(actor=SYSTEM, promotion_id=row.pk, count=3)
    ids = ids_of(row)
    code_batches.VERBS.delete(actor=SYSTEM, ids=ids[:1])
    VERBS.delete(actor=SYSTEM, ids=[row.pk])
    VERBS.restore(actor=SYSTEM, ids=[row.pk])
    assert ids_of(row) == ids[1:]


def test_a_promotion_is_not_restored_while_another_has_one_of_its_codes() -> None:
    row, other = promotion(code="SPRING"), promotion(code="AUTUMN")
    create_codes(actor=SYSTEM, promotion_id=row.pk, codes=["A", "B"])
    VERBS.delete(actor=SYSTEM, ids=[row.pk])
    create_codes(actor=SYSTEM, promotion_id=other.pk, codes=["b"])
    with pytest.raises(ValueTaken, match="Promotion code with code: B already exists"):
        VERBS.restore(actor=SYSTEM, ids=[row.pk])


def test_a_promotion_that_loses_its_batches_has_its_own_code_again(store: Caller) -> None:
    row = promotion(code="SPRING")
    [code] = create_codes(actor=SYSTEM, promotion_id=row.pk, count=1)
    VERBS.update(actor=SYSTEM, id=row.pk, has_codes=False)
    assert (enter(store, code).status_code, enter(store, "SPRING").status_code) == (400, 200)
    VERBS.update(actor=SYSTEM, id=row.pk, code="SUMMER")
    assert ids_of(row) == [*PromotionCode.objects.filter(code="SUMMER").values_list("pk", flat=True)]


def test_the_name_of_a_batch_opens_nothing_in_the_shop_that_a_dump_is_loaded_into(
    store: Caller, tmp_path: Path
) -> None:
    row = promotion(code="SPRING")
    create_codes(actor=SYSTEM, promotion_id=row.pk, count=1)
    files = ShopFiles(tmp_path)
    [dumped] = files.dump("--only", "promotions")["promotions"]
    Promotion.objects.all().delete()
    files.load({"promotions": [dumped]})
    assert (dumped["has_codes"], enter(store, "SPRING").status_code) == (True, 400)


@pytest.mark.parametrize("number", [2, 2_000])
def test_any_number_of_codes_takes_as_many_statements(number: int) -> None:
    row = promotion(code="SPRING")
    create_codes(actor=SYSTEM, promotion_id=row.pk, count=1)
    with statements() as making:
        create_codes(actor=SYSTEM, promotion_id=row.pk, count=number)
    with statements() as ending:
        VERBS.delete(actor=SYSTEM, ids=[row.pk])
        VERBS.restore(actor=SYSTEM, ids=[row.pk])
    assert (len(making), len(ending), len(ids_of(row))) == (3, 9, number + 1)


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({}, "Send either 'count' or 'codes'"),
        ({"count": 1, "codes": ["A"]}, "Send either 'count' or 'codes'"),
        ({"codes": ["a", " A"]}, "Value for field 'codes' must not have a code twice; letter case does not matter"),
        ({"codes": ["new", "taken"]}, "Value for field 'codes' has codes that are taken: taken"),
        ({"codes": ["a\nb"]}, "Value for field 'codes' must not contain control characters"),
        ({"count": 1, "prefix": " A"}, "Value for field 'prefix' must not begin or end with blanks"),
        ({"count": 1, "length": 7}, "Value for field 'length' too small, expected at least: '8'"),
        ({"count": 10_001}, "Value for field 'count' too big, expected at most: '10000'"),
        ({"count": 1, "usage_limit": 0}, "Value for field 'usage_limit' too small, expected at least: '1'"),
    ],
)
def test_what_is_refused_leaves_the_promotion_as_it_was(admin: Caller, given: dict[str, Any], problem: str) -> None:
    promotion(code="TAKEN")
    row = promotion(code="SPRING")
    response = admin.post(f"/admin/promotions/{row.pk}/codes", given)
    assert (response.status_code, problem in response.json()["message"]) == (400, True), response.json()
    assert {*PromotionCode.objects.not_deleted().values_list("code", flat=True)} == {"TAKEN", "SPRING"}
    assert not Promotion.objects.get(pk=row.pk).has_codes


def test_automatic_promotions_have_no_codes_and_promotions_with_codes_are_not_automatic(admin: Caller) -> None:
    automatic, row = PromotionFactory(is_automatic=True), promotion(code="SPRING")
    with pytest.raises(InvalidData, match="applies without codes"):
        create_codes(actor=SYSTEM, promotion_id=automatic.pk, count=1)
    create_codes(actor=SYSTEM, promotion_id=row.pk, count=1)
    response = admin.post(f"/admin/promotions/{row.pk}", {"is_automatic": True})
    assert (response.status_code, response.json()["message"]) == (
        400,
        "is_automatic: The promotion has codes that customers enter, and is not automatic.",
    )


def test_programs_make_list_and_delete_codes(admin: Caller) -> None:
    row, path = promotion(code="SPRING"), "/admin/promotions/{}/codes"
    made = admin.post(path.format(row.pk), {"codes": ["A-1", "A-2", "B-1"], "usage_limit": 1}).json()
    assert made == {"codes": ["A-1", "A-2", "B-1"]}
    ids = ids_of(row)
    listed = admin.get(path.format(row.pk), "q=a-&fields=id,usage_limit,used").json()
    assert (listed["count"], listed["promotion_codes"]) == (
        2,
        [{"id": key, "usage_limit": 1, "used": 0} for key in ids[:2]],
    )
    assert admin.get(f"/admin/promotions/{row.pk}", "fields=has_codes").json()["promotion"]["has_codes"] is True

    other = promotion(code="OTHER")
    own = PromotionCode.objects.get(promotion=other)
    for promotion_id, key in ((other.pk, ids[0]), (row.pk, own.pk)):
        assert admin.send("DELETE", f"{path.format(promotion_id)}/{key}").status_code == 404
    refused = admin.send("DELETE", f"{path.format(other.pk)}/{own.pk}")
    assert refused.json()["message"] == "The promotion's own code is changed with the promotion"
    assert admin.get("/admin/promotions/promo_none/codes").status_code == 404

    assert admin.send("DELETE", f"{path.format(row.pk)}/{ids[0]}").json()["deleted"] is True
    deleted = admin.post(f"{path.format(row.pk)}/batch", {"delete": ids[1:2]}).json()["deleted"]
    assert deleted == {"ids": ids[1:2], "object": "promotion_code", "deleted": True}
    assert admin.get(path.format(row.pk)).json()["count"] == 1


def test_a_dry_run_makes_no_code(admin: Caller) -> None:
    row = promotion(code="SPRING")
    assert admin.post(f"/admin/promotions/{row.pk}/codes", {"count": 2, "dry_run": True}).status_code == 200
    assert not Promotion.objects.get(pk=row.pk).has_codes


def test_graphql_makes_and_deletes_codes(admin: Caller) -> None:
    row = promotion(code="SPRING")
    given = f'id: "{row.pk}", input: {{codes: ["A", "B"]}}'
    made = ask(admin, f"mutation {{ createPromotionCodes({given}) {{ codes }} }}").json()
    assert made["data"]["createPromotionCodes"]["codes"] == ["A", "B"]
    ask(admin, f'mutation {{ deletePromotionCode(id: "{ids_of(row)[0]}") {{ deleted }} }}')
    listed = ask(admin, f'{{ promotionCodes(promotionId: "{row.pk}") {{ promotionCodes {{ code used }} }} }}').json()
    assert listed["data"]["promotionCodes"]["promotionCodes"] == [{"code": "B", "used": 0}]


def test_the_file_has_every_code_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(code_batches, "_PAGE", 2)
    row = promotion(code="SPRING")
    create_codes(actor=SYSTEM, promotion_id=row.pk, codes=["A-1", "A-2", "0171", "=1+1"], usage_limit=1)
    create_codes(actor=SYSTEM, promotion_id=row.pk, codes=["B"])
    parts = [*csv_lines(row.pk, PLAIN)]
    assert "".join(parts) == "code,usage_limit,used\r\nA-1,1,0\r\nA-2,1,0\r\n0171,1,0\r\n=1+1,1,0\r\nB,,0\r\n"
    assert len(parts) == 4
    assert next(csv_lines(row.pk, CsvFormat(for_spreadsheets=True))).startswith("\ufeffcode,")
