"""Discount, tax and total of usual prices: some of the combinations, and all of them in a long run."""

from itertools import islice

from tests.carts.money.grid import combinations, differences
from tests.walks import LONG

EVERY = 1 if LONG else 101


def test_there_are_as_many_combinations_as_the_page_says() -> None:
    assert sum(1 for _ in combinations()) == 250_866


def test_no_combination_differs_from_what_fractions_say() -> None:
    assert differences(islice(combinations(), 0, None, EVERY)) == []
