"""What each list of the interface promises: its filters, each with a query that finds what it should, and its fields.

Every name stands here as the contract has it. tests/contract/test_every_list.py compares it with what the resources
declare, so that a new filter, order key or field fails until it has its case.
"""

from tests.contract.lists import catalog, orders, payments, shipping, shop, staff, taxes
from tests.contract.lists.contract import Contract

_PARTS = (catalog, shop, staff, orders, payments, shipping, taxes)
CONTRACTS = {serializer: contract for part in _PARTS for serializer, contract in part.CONTRACTS.items()}
"""By serializer. What nobody lists has no order."""
LISTS = {path: filtering for part in _PARTS for path, filtering in part.LISTS.items()}
"""By path."""

__all__ = ["CONTRACTS", "LISTS", "Contract"]
