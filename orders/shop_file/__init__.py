"""The shop file's section of orders. Orders themselves are not part of the file. Source: orders.md 8.14."""

from orders.shop_file.return_reasons import ReturnReasons

__all__ = ["ReturnReasons"]
