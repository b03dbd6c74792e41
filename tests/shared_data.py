"""Optional data outside of the repository, in ../shared: this is the one module that names them.

Without them, the tests that read them are skipped, and the benchmarks generate data instead. These are all the readers:

- what carts must cost: tests/carts/money/cases.py, for tests/carts/money/test_cases.py;
- what promotions must take off: tests/carts/promotions/test_cases.py;
- the initial contract: tests/interface_walk/document.py, for tests/interface_walk/test_document.py;
- recorded exchanges: tests/recorded/test_exchanges.py;
- the real taxonomy: tests/operations/shop_files/test_load_categories.py, tests/bench/category_data.py;
- the real demo shop: tests/operations/shop_files/test_saleor_demo.py,
  tests/operations/shop_files/test_another_database.py, tests/bench/demo_data.py.
"""

from pathlib import Path

import pytest

SHARED = Path(__file__).parents[2] / "shared"
INTERFACE = SHARED / "interface.md"
RECORDED = SHARED / "recorded"
MONEY_CASES = SHARED / "cases" / "money.json"
PROMOTIONS = SHARED / "promotions.md"
TAXONOMY = SHARED / "data" / "google-taxonomy.shop.json.gz"
SALEOR = SHARED / "data" / "saleor-demo.shop.json"


def needs(data: Path) -> pytest.MarkDecorator:
    """Mark a test that is skipped where the data are missing."""
    return pytest.mark.skipif(not data.exists(), reason=f"needs ../shared/{data.relative_to(SHARED)}")
