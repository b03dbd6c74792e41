"""A real demo shop, out of its shop file."""

import sys
from pathlib import Path

from django.core.management import call_command
from django.db.models import Count

from apikeys.models import ApiKey
from commerce.shop.models import SalesChannel

DEMO = Path(__file__).parents[3] / "shared" / "data" / "saleor-demo.shop.json"


def fill_demo_shop(key: ApiKey) -> None:
    """Load it; the key sells in its channel of most products."""
    call_command("load_shop", str(DEMO), stdout=sys.stderr)
    key.sales_channels.add(SalesChannel.objects.annotate(many=Count("products")).order_by("-many", "id")[0])
