"""Integers rounded half-up to multiples of a step, and split without loss: exact where Decimal's 28 digits may not be.

A step is the smallest amount that a currency pays, see kit.values.money.step.
Why: docs/decisions/carts.md#shares-of-an-amount-lose-no-cent.
"""

from collections.abc import Sequence


def half_up(numerator: int, denominator: int, step: int) -> int:
    """The quotient as a multiple of step. numerator: 0 or more."""
    unit = denominator * step
    return (2 * numerator + unit) // (2 * unit) * step


def split(total: int, weights: Sequence[int], step: int) -> list[int]:
    """The total in parts by the weights, by largest remainder; of equal remainders the earlier part's counts more.

    total: 0 or more, a multiple of step. weights: 0 or more; where all are 0 they count as equal.
    The parts sum to the total, and each is less than a step off its exact share. So none is larger than its weight
    where the weights are multiples of step that sum to the total or more.
    Raises ValueError for a negative weight, and where there is a total but no weight.
    """
    if min(weights, default=0) < 0 or (total and not weights):
        raise ValueError(f"{total} cannot be split by the weights {list(weights)}")
    if not total:
        return [0] * len(weights)
    whole = sum(weights)
    if not whole:
        return split(total, [1] * len(weights), step)
    shares = [divmod(total * weight, whole * step) for weight in weights]
    left = total // step - sum(steps for steps, _ in shares)
    first = sorted(range(len(shares)), key=lambda index: -shares[index][1])[:left]
    return [(steps + (index in first)) * step for index, (steps, _) in enumerate(shares)]
