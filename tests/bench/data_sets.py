"""On what it is measured."""

from dataclasses import dataclass

from tests.bench.case import Case
from tests.bench.cases import CASES


@dataclass(frozen=True)
class DataSet:
    """A shop. kind: the cases that are measured on it.

    size: of how many generated categories or products; 0 is a real shop. is_judged: whether the aims are for it.
    vendors: the databases that it is put into.
    """

    title: str
    kind: str
    size: int
    is_judged: bool = False
    vendors: tuple[str, ...] = ("postgresql", "sqlite")

    @property
    def cases(self) -> list[Case]:
        return [case for case in CASES if case.data == self.kind]


# A case's aim_growth is how many times as much it may cost on the largest as on the smaller one.
SMALLER = DataSet("1,000 products", "products", 1000, is_judged=True)
LARGEST = DataSet(
    "100,000 products with 300,000 variants", "products", 100_000, is_judged=True, vendors=("postgresql",)
)
DATA_SETS = [
    DataSet("5,595 categories", "categories", 0, is_judged=True),
    DataSet("100,000 categories", "categories", 100_000),
    DataSet("the demo shop", "products", 0),
    SMALLER,
    DataSet("the shoppers of 1,000 products", "shoppers", 1000, is_judged=True),
    DataSet("the orders of 1,000 products", "orders", 1000, is_judged=True),
    LARGEST,
]
