"""What the functions make of the cases, and that these are the paper's."""

import json

import pytest

from tests.carts.money.cases import Case, load
from tests.carts.money.priced import is_priced, priced
from tests.shared_data import MONEY_CASES, needs

CASES = load()
PRICED = [pytest.param(case, id=case["id"]) for case in CASES if is_priced(case)]


@needs(MONEY_CASES)
def test_the_cases_are_those_of_the_paper() -> None:
    assert json.loads(MONEY_CASES.read_text()) == CASES


def test_all_cases_are_here_but_those_with_an_exempt_customer() -> None:
    assert (len(CASES), len(PRICED)) == (340, 327)


@pytest.mark.parametrize("case", PRICED)
def test_a_cart_costs_exactly_what_the_case_says(case: Case) -> None:
    assert priced(case) == case["expected"]
