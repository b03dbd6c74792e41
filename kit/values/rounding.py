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
    """The total in parts by the weights, each rounded half-up, the remainder on the last that weighs anything.

    total: 0 or more. weights: 0 or more; where all are 0 they count as equal.
    The parts sum to the total and none is negative: once rounding up has used the total, those that follow get 0.
    Raises ValueError for a negative weight, and where there is a total but no weight.
    """
    if min(weights, default=0) < 0 or (total and not weights):
        raise ValueError(f"{total} cannot be split by the weights {list(weights)}")
    if not total:
        return [0] * len(weights)
    whole = sum(weights)
    if not whole:
        return split(total, [1] * len(weights), step)
    parts, left, last = [], total, 0
    for index, weight in enumerate(weights):
        part = 0
        if weight:
            part, last = min(half_up(total * weight, whole, step), left), index
            left -= part
        parts.append(part)
    parts[last] += left
    return parts


def split_within(total: int, weights: Sequence[int], step: int) -> list[int]:
    """The total, at most the sum of the weights, split by them so that no part is larger than its weight.

    weights: multiples of step. As `split`; what the remainder has too much for the last goes to the one before it.
    """
    parts, excess = split(total, weights, step), 0
    for index in reversed(range(len(parts))):
        wanted = parts[index] + excess
        parts[index] = min(wanted, weights[index])
        excess = wanted - parts[index]
    return parts
