"""The headings of the sidebar, in their order."""

from enum import StrEnum


class Section(StrEnum):
    """What staff come for; each screen stands under one."""

    CATALOGUE = "Catalogue"
    SHIPPING = "Shipping"
    ACCESS = "Access"
    SHOP = "Shop"
    OPERATION = "Operation"
