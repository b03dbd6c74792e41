"""Integers rounded half-up to multiples of a step, and split without loss: exact where Decimal's 28 digits may not be.

A step is the smallest amount that a currency pays, see commerce.core.money.step. Source: behaviour.md 0.21.
"""

from collections.abc import Sequence


def half_up(numerator: int, denominator: int, step: int) -> int:
    """The quotient as a multiple of step. numerator: 0 or more."""
    unit = denominator * step
    return (2 * numerator + unit) // (2 * unit) * step


def split(total: int, weights: Sequence[int], step: int) -> list[int]:
    """The total in parts as the weights say, each rounded half-up, the remainder on the last that weighs anything.

    total: 0 or more. weights: at least one, 0 or more; where all are 0 they count as equal.
    The parts sum to the total and none is negative: once rounding up has used the total, those that follow get 0.
    Raises ValueError without weights or with a negative one.
    """
    if not weights or min(weights) < 0:
        raise ValueError(f"{total} cannot be split by the weights {list(weights)}")
    whole = sum(weights)
    if not whole:
        return split(total, [1] * len(weights), step)
    left, parts = total, []
    for weight in weights:
        part = min(half_up(total * weight, whole, step), left)
        parts.append(part)
        left -= part
    last = max(index for index, weight in enumerate(weights) if weight)
    parts[last] += left
    return parts
