"""The admin site: its screens, and what they call in apps above theirs.

Processes load it with the routes (`commerce/urls.py`) or for a bulk action: the others save its memory.
"""

from functools import cache

import unfold.forms
from django.contrib import admin

from carts.admin.order_links import ORDER_LINKS, ORDERS_BY_NUMBER
from carts.admin.payment_links import PAYMENT_LINK
from catalog.admin.stock.line_links import LINE_LINKS, SUBJECT_LINKS
from kit.admin.forms.select2 import use_minified
from kit.admin.lists.readonly_links import ReadonlyField
from kit.admin.request_actor import STAFF_ACTOR
from kit.domain import hooks
from orders.admin.order_links import line_links, order_links, orders_by_number
from orders.admin.overview.invoices import seller_saved
from orders.admin.subject_links import subject_links
from payments.admin.payment_link import payment_link
from shop.admin.region_needs import REGION_NEEDS
from shop.admin.region_tax_table import TAX_TABLE
from shop.admin.store_form import SELLER_SAVED
from staff.actors import staff_actor
from taxes.admin.region_needs import region_needs
from taxes.admin.region_taxes import tax_table


@cache
def load_admin_site() -> None:
    """Import all screens, once, and register what they call. Raises ImproperlyConfigured as `wire` does."""
    admin.autodiscover()
    use_minified()

    STAFF_ACTOR.register(staff_actor)
    LINE_LINKS.register(line_links)
    SUBJECT_LINKS.register(subject_links)
    ORDER_LINKS.register(order_links)
    PAYMENT_LINK.register(payment_link)
    ORDERS_BY_NUMBER.register(orders_by_number)
    TAX_TABLE.register(tax_table)
    REGION_NEEDS.register(region_needs)
    SELLER_SAVED.register(seller_saved)

    # The theme links rows to users who may not open them.
    unfold.forms.UnfoldAdminReadonlyField = ReadonlyField

    hooks.require_all()
