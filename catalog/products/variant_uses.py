"""How many open carts and orders have a line of given variants. Carts and orders are apps above the catalogue."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from kit.domain.hooks import Wired


@dataclass(frozen=True, slots=True)
class VariantUses:
    """carts: open carts with any of the variants. orders: orders with any of them."""

    carts: int
    orders: int

    def __str__(self) -> str:
        parts = [_counted(self.carts, "open cart"), _counted(self.orders, "order")]
        return " and ".join(part for part in parts if part)


VARIANT_USES = Wired[Callable[[str, Sequence[str]], VariantUses]]("how many carts and orders have a variant")
"""Called with a product's id and the ids of some of its variants. Two statements."""


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}" if number else ""
