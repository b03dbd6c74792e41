"""The headings of the sidebar, in their order."""

from enum import StrEnum


class Section(StrEnum):
    """The sections of the menu; each screen belongs to one."""

    CATALOGUE = "Catalogue"
    ORDERS = "Orders"
    CUSTOMERS = "Customers"
    PAYMENTS = "Payments"
    CREDIT = "Gift cards and credit"
    SHIPPING = "Shipping"
    ACCESS = "Access"
    SHOP = "Shop"
    OPERATION = "Operation"
