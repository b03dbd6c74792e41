"""A real demo shop, out of its shop file."""

import sys

from django.core.management import call_command
from django.db.models import Count

from apikeys.models import ApiKey
from shop.models import SalesChannel
from tests.bench.category_data import fill_categories, replaced
from tests.bench.product_data import fill_products
from tests.shared_data import SALEOR

PRODUCTS = 32
"""In the file."""


def fill_demo_shop(key: ApiKey) -> str | None:
    """Load it; the key sells in its channel of most products. If its file is missing, make as many products.

    Returns the remark on these.
    """
    if not SALEOR.exists():
        fill_categories(0)
        fill_products(PRODUCTS)
        return replaced(SALEOR)
    call_command("load_shop", str(SALEOR), stdout=sys.stderr)
    key.sales_channels.add(SalesChannel.objects.annotate(many=Count("products")).order_by("-many", "id")[0])
    return None
