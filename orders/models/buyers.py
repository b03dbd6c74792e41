"""Buyers: everyone who has ordered, by their last order."""

from orders.models.orders import Order


class Buyer(Order):
    """The last order of a customer, or of the guests with one email address (orders/reports/buyers.py)."""

    class Meta:
        proxy = True
        default_permissions = ()
