"""A real demo shop, out of its shop file."""

import sys
from pathlib import Path

from django.core.management import call_command
from django.db.models import Count

from apikeys.models import ApiKey
from commerce.shop.models import SalesChannel
from tests.bench.category_data import fill_categories
from tests.bench.product_data import fill_products

DEMO = Path(__file__).parents[3] / "shared" / "data" / "saleor-demo.shop.json"
PRODUCTS = 32
"""In the file."""


def fill_demo_shop(key: ApiKey) -> None:
    """Load it where its file is at hand, else make as many products; the key sells in its channel of most products."""
    if not DEMO.exists():
        fill_categories(0)
        fill_products(PRODUCTS)
        return
    call_command("load_shop", str(DEMO), stdout=sys.stderr)
    key.sales_channels.add(SalesChannel.objects.annotate(many=Count("products")).order_by("-many", "id")[0])
