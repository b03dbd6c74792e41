"""The screens of customers."""

from customers.admin import customers, groups

__all__ = ["customers", "groups"]
