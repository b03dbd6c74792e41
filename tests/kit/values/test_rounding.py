"""Integers rounded and split: exact, half-up, nothing lost."""

from fractions import Fraction
from math import floor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.values.rounding import half_up, split

AMOUNTS = st.integers(0, 10**15)
STEPS = st.sampled_from((1, 10, 100, 10_000))
WEIGHTS = st.lists(st.integers(0, 12) | AMOUNTS, min_size=1, max_size=12)


@given(AMOUNTS, st.integers(1, 10**12), STEPS)
def test_a_quotient_is_rounded_half_up(numerator: int, denominator: int, step: int) -> None:
    assert (
        half_up(numerator, denominator, step) == floor(Fraction(numerator, denominator * step) + Fraction(1, 2)) * step
    )


@given(st.integers(0, 60) | st.integers(0, 10**11), WEIGHTS, STEPS)
def test_parts_sum_to_the_total_and_what_weighs_nothing_gets_nothing(units: int, weights: list[int], step: int) -> None:
    parts = split(units * step, weights, step)
    assert sum(parts) == units * step
    assert min(parts) >= 0
    assert not any(part % step for part in parts)
    if any(weights):
        assert all(weight or not part for part, weight in zip(parts, weights, strict=True))


@given(st.integers(0, 60) | st.integers(0, 10**11), WEIGHTS, STEPS)
def test_each_part_is_less_than_a_step_off_and_the_largest_remainders_are_rounded_up(
    units: int, weights: list[int], step: int
) -> None:
    parts = split(units * step, weights, step)
    whole = sum(weights) or len(weights)
    exact = [Fraction(units * weight, whole) for weight in (weights if sum(weights) else [1] * len(weights))]
    up = [part // step - floor(share) for part, share in zip(parts, exact, strict=True)]
    assert set(up) <= {0, 1}
    rank = [(floor(share) - share, index) for index, share in enumerate(exact)]
    assert sorted(rank)[: sum(up)] == sorted(each for each, is_up in zip(rank, up, strict=True) if is_up)


@given(st.data(), st.lists(st.integers(0, 12) | st.integers(0, 10**11), min_size=1, max_size=12), STEPS)
def test_no_part_is_larger_than_its_weight_where_the_weights_are_not_too_small(
    data: st.DataObject, units: list[int], step: int
) -> None:
    weights = [unit * step for unit in units]
    total = data.draw(st.integers(0, sum(units))) * step
    parts = split(total, weights, step)
    assert sum(parts) == total
    assert all(0 <= part <= weight for part, weight in zip(parts, weights, strict=True))


@pytest.mark.parametrize(
    ("total", "weights", "parts"),
    [
        (20_000, [10_000, 10_000, 10_000, 100], [6_700, 6_600, 6_600, 100]),
        (50_000, [33_300, 33_300, 33_400], [16_700, 16_600, 16_700]),
        (4_900, [100] * 100, [100] * 49 + [0] * 51),
        (0, [], []),
    ],
)
def test_of_equal_remainders_the_earlier_is_rounded_up(total: int, weights: list[int], parts: list[int]) -> None:
    assert split(total, weights, 100) == parts


@pytest.mark.parametrize("weights", [[], [-1], [3, -1]])
def test_what_cannot_be_split_is_refused(weights: list[int]) -> None:
    with pytest.raises(ValueError, match="100 cannot be split by the weights"):
        split(100, weights, 1)
