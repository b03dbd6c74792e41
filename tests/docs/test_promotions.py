"""The examples of the page on promotions are among the cases that the tests compute."""

from tests.carts.promotions.cases import TABLE, table_rows
from tests.docs.pages import DOCS


def test_its_examples_are_cases() -> None:
    computed = [cells for _, *cells in table_rows(TABLE.read_text())]
    lines = (DOCS / "promotions.md").read_text().splitlines()
    rows = [[cell.strip() for cell in line[1:-1].split("|")] for line in lines if line.startswith("|")]
    examples = [row for row in rows if len(row) == 5 and row[0] not in ("cart", "---")]
    assert len(examples) == 18
    assert [row for row in examples if row not in computed] == []
