"""The headings of the sidebar, in their order: few enough to be seen at a glance."""

from enum import StrEnum


class Section(StrEnum):
    """The sections of the menu; each screen belongs to one."""

    CATALOGUE = "Catalogue"
    ORDERS = "Orders"
    CUSTOMERS = "Customers"
    PAYMENTS = "Payments"
    CREDIT = "Gift cards and credit"
    SHIPPING = "Shipping"
    SETTINGS = "Settings"
    OPERATION = "Operations"
