"""The shop file's section of customers."""

from customers.shop_file.customers import Customers

__all__ = ["Customers"]
