"""The shop file's section of who buys."""

from customers.shop_file.customers import Customers

__all__ = ["Customers"]
