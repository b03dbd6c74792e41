"""Papers and data that lie beside the checkout, in ../shared: the one module that names them.

The tests that read them skip without them, and the benchmarks replace them by generated data; nothing else needs them.
These are all, by what they read:

- the interface's paper: tests/interface_walk/document.py, for tests/interface_walk/test_document.py;
- recorded exchanges: tests/recorded/test_exchanges.py;
- the real taxonomy: tests/operations/shop_files/test_load_categories.py, tests/bench/category_data.py;
- the real demo shop: tests/operations/shop_files/test_saleor_demo.py,
tests/operations/shop_files/test_another_database.py,
  tests/bench/demo_data.py.
"""

from pathlib import Path

import pytest

SHARED = Path(__file__).parents[2] / "shared"
INTERFACE = SHARED / "interface.md"
RECORDED = SHARED / "recorded"
TAXONOMY = SHARED / "data" / "google-taxonomy.shop.json.gz"
SALEOR = SHARED / "data" / "saleor-demo.shop.json"


def needs(paper: Path) -> pytest.MarkDecorator:
    """Mark a test that is skipped where the paper is missing."""
    return pytest.mark.skipif(not paper.exists(), reason=f"needs ../shared/{paper.relative_to(SHARED)}")
