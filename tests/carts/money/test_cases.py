"""What the functions make of the cases, and that these are the paper's."""

import json

import pytest

from tests.carts.money.cases import Case, load
from tests.carts.money.priced import priced
from tests.shared_data import MONEY_CASES, needs

CASES = load()
PRICED = [pytest.param(case, id=case["id"]) for case in CASES]


@needs(MONEY_CASES)
def test_the_cases_are_those_of_the_paper() -> None:
    assert json.loads(MONEY_CASES.read_text()) == CASES


def test_all_cases_are_here_and_those_of_exempt_customers() -> None:
    assert (len(CASES), sum(case["exempt"] for case in CASES)) == (340, 13)


@pytest.mark.parametrize("case", PRICED)
def test_a_cart_costs_exactly_what_the_case_says(case: Case) -> None:
    assert priced(case) == case["expected"]
