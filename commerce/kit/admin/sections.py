"""The headings of the sidebar, in their order."""

from enum import StrEnum


class Section(StrEnum):
    """What staff come for; each screen stands under one."""

    CATALOGUE = "Catalogue"
    ORDERS = "Orders"
    CUSTOMERS = "Customers"
    PAYMENTS = "Payments"
    CREDIT = "Gift cards and credit"
    SHIPPING = "Shipping"
    ACCESS = "Access"
    SHOP = "Shop"
    OPERATION = "Operation"
