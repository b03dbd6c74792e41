"""The shop file's sections of customers and their groups."""

from customers.shop_file.customers import Customers
from customers.shop_file.groups import CustomerGroups

__all__ = ["CustomerGroups", "Customers"]
