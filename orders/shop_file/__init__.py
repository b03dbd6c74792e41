"""The shop file's section of orders. Orders themselves are not part of the file.

Why: docs/decisions/orders.md#orders-are-not-part-of-a-shop-file.
"""

from orders.shop_file.return_reasons import ReturnReasons

__all__ = ["ReturnReasons"]
