"""Draft orders on the admin site: their list, and the form of each."""

from orders.admin.drafts import screen

__all__ = ["screen"]
