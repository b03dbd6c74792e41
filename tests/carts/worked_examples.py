"""worked_examples.md and the storefront guide, read: the tests execute the totals that they show."""

import re
from collections.abc import Callable, Iterable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from carts.arithmetic.line_totals import Line
from carts.arithmetic.offers import OfferRule
from carts.promotions.derived import terms_of_older
from carts.rule_attributes import PRODUCT
from carts.states import Comparison, PromotionTarget

DOCUMENT = Path(__file__).with_suffix(".md")
GIVEN = {"currency", "line", "returned", "lines", "promotions", "items", "shipping", "credit lines"}
LINE = re.compile(
    r"(?P<quantity>\d+) x (?P<price>[\d.]+)(?: (?P<how>plus|including) (?P<rates>[\d.]+ %(?: and [\d.]+ %)*))?"
    r"(?: less (?P<less>[\d.]+(?: and [\d.]+)*))?"
)


def executes(heading: str, document: Path = DOCUMENT) -> Callable[..., Any]:
    """Runs a test with each row of the table below the heading: its columns that are given, and those expected."""
    section = document.read_text().partition(f"# {heading}\n")[2].partition("\n#")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    names, _, *rows = ([cell.strip() for cell in line[1:-1].split("|")] for line in lines)
    assert rows, heading
    examples = []
    for row in rows:
        columns = list(zip(names, row, strict=True))
        given = {name: cell for name, cell in columns if name in GIVEN}
        expected = {name: cell for name, cell in columns if name not in GIVEN}
        examples.append(pytest.param(given, expected, id=", ".join(filter(None, given.values()))))
    return pytest.mark.parametrize(("given", "expected"), examples)


def read_line(text: str, **more: Any) -> Line:
    found = LINE.fullmatch(text)
    assert found, text
    return Line(
        int(found["quantity"]),
        scaled(found["price"]),
        found["how"] == "including",
        [scaled(rate.rstrip(" %")) for rate in parts(found["rates"] or "", "and")],
        [scaled(amount) for amount in parts(found["less"] or "", "and")],
        **more,
    )


def older_terms(target: str, products: Iterable[str]) -> dict[str, Any]:
    """What the target of an older version means for these products, as fields of an ActivePromotion."""
    rules = [OfferRule(PRODUCT, Comparison.IN, frozenset(products))] if products else []
    kind, allocation = terms_of_older(target, has_target_rules=bool(products))
    return {"target": PromotionTarget(kind), "allocation": allocation, "target_rules": rules}


def parts(cell: str, separator: str = ";") -> list[str]:
    return [part.strip() for part in cell.split(separator)] if cell else []


def scaled(number: str) -> int:
    """An amount or a percentage in 1/10,000."""
    exact = Decimal(number) * 10_000
    assert exact == int(exact)
    return int(exact)


def written(amount: int, places: int) -> str:
    """An amount in 1/10,000 as the tables show it."""
    shown = f"{Decimal(amount) / 10_000:.{places}f}"
    assert scaled(shown) == amount, "finer than the currency"
    return shown
