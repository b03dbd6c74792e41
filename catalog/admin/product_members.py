"""Products on the pages of what they are organised by: collections, categories, tags, types and sales channels."""

from catalog.models import Product, ProductImage
from kit.admin.actions.members import member_buttons
from kit.admin.buttons import Button, enter_buttons
from shop.admin.stores import SalesChannelAdmin


def product_buttons(relation: str) -> tuple[Button, ...]:
    """The buttons on the page of what products refer to by that field."""
    return member_buttons(Product._meta.get_field(relation), searched_like=ProductImage._meta.get_field("product"))


SalesChannelAdmin.buttons = (*SalesChannelAdmin.buttons, *product_buttons("sales_channels"))
enter_buttons(SalesChannelAdmin)
