"""Fills a database for the load test: `python -m tests.load.shop WEBHOOK-URL`, in that database's environment.

The shop is that of `make demo`, with plenty of everything. Writes as JSON what its callers need.
"""

import sys
from pathlib import Path

import django
import orjson

django.setup()

from django.core.management import call_command
from django.db.models import Sum

from apikeys.issuance import issue
from apikeys.states import KeyType
from catalog.models import InventoryLevel, ProductVariant
from kit.domain.actor import SYSTEM
from kit.messages.webhooks.endpoints.adding import add
from payments.models import RefundReason
from shop.models import PaymentProvider, Region
from staff.models import User
from tests.bench.stock_data import stock_up
from tests.load.place import PROVIDER

SHOP = Path("commerce/operations/demo.shop.json")
WAREHOUSE = "Harbour warehouse"
PASSWORD = "correct horse battery staple"
PLENTY = 100_000
STAFF = 3


def main() -> None:
    call_command("migrate", verbosity=0)
    call_command("load_shop", str(SHOP), stdout=sys.stderr)
    stock_up(PLENTY)
    region = Region.objects.get(name="Europe")
    PaymentProvider.objects.create(id=PROVIDER, is_enabled=True).regions.add(region)
    staff = [User.objects.create_superuser(f"staff{number}@shop.example", PASSWORD) for number in range(STAFF)]
    key = issue(actor=SYSTEM, title="Storefront", type=KeyType.PUBLISHABLE)
    secret = issue(actor=SYSTEM, title="Warehouse", type=KeyType.SECRET, created_by=staff[0].pk)
    levels = InventoryLevel.objects.order_by("pk")
    shown = ProductVariant.objects.not_deleted().filter(product__status="published", manage_inventory=True)
    sold = shown.filter(inventory_items__levels__location__name=WAREHOUSE)
    facts = {
        "publishable": key.token,
        "secret": secret.token,
        "webhook_secret": add(actor=SYSTEM, url=sys.argv[1]).secret,
        "region": region.pk,
        "variants": list(sold.order_by("pk").values_list("pk", flat=True)),
        "levels": list(levels.values_list("inventory_item_id", "location_id")),
        "stocked": levels.aggregate(sum=Sum("stocked_quantity"))["sum"],
        "staff": [user.email for user in staff],
        "password": PASSWORD,
        "refund_reason": RefundReason.objects.order_by("pk")[0].pk,
    }
    sys.stdout.buffer.write(orjson.dumps(facts))


if __name__ == "__main__":
    main()
