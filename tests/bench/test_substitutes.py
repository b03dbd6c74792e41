"""Where the real data are missing, the bench says so, and judges nothing by its aims."""

from pathlib import Path
from typing import Any

import pytest

from apikeys.issuance import issue
from kit.domain.actor import SYSTEM
from tests.bench import category_data, demo_data, report
from tests.bench.category_data import fill_categories
from tests.bench.data_sets import LARGEST, SMALLER
from tests.bench.demo_data import fill_demo_shop


def measured(web_median: float = 9e9) -> dict[str, Any]:
    """What a case with aims costs: too much, by default."""
    case = next(case.name for case in SMALLER.cases if case.aim_growth and case.aim_ms)
    return {"case": case, "web_median": web_median, "web_best": 1, "database_median": 0, "statements": 1, "bytes": 1}


@pytest.mark.django_db
def test_generated_categories_are_announced(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(category_data, "TAXONOMY", tmp_path / "taxonomy.json")
    monkeypatch.setattr(category_data, "LEVELS", (2, 3))
    said = f"generated: {tmp_path / 'taxonomy.json'} is missing"
    assert fill_categories(0) == said
    assert said in capsys.readouterr().err


@pytest.mark.django_db
def test_categories_of_a_chosen_number_replace_nothing() -> None:
    assert fill_categories(8) is None


@pytest.mark.django_db
def test_a_generated_demo_shop_is_announced(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(demo_data, "SALEOR", tmp_path / "demo.json")
    monkeypatch.setattr(demo_data, "fill_products", lambda size: None)
    monkeypatch.setattr(category_data, "TAXONOMY", tmp_path / "taxonomy.json")
    monkeypatch.setattr(category_data, "LEVELS", (2, 3))
    key = issue(actor=SYSTEM, title="Bench", type="publishable").key
    assert fill_demo_shop(key) == f"generated: {tmp_path / 'demo.json'} is missing"


def test_the_table_judges_by_its_reaches_only_on_the_real_data() -> None:
    judged = report.table("a shop", [measured()], 1, is_judged=True)
    assert " ms" in judged.splitlines()[-2]
    substituted = report.table("a shop", [measured()], 1, is_judged=False, substitute="generated: it is missing")
    assert substituted.splitlines()[0] == "a shop (generated: it is missing)"
    assert "ms" not in substituted.splitlines()[-2]


@pytest.mark.parametrize("is_judged", [True, False])
def test_so_does_the_growth(is_judged: bool) -> None:
    title = "{}, postgresql".format
    document = {
        title(SMALLER.title): {"results": [measured(web_median=1)], "is_judged": True},
        title(LARGEST.title): {"results": [measured()], "is_judged": is_judged},
    }
    lines = report.growth(document)
    assert ("aim" in lines, "missed" in lines) == (is_judged, is_judged)
