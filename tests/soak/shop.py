"""Fills a database for the soak: `python -m tests.soak.shop CALLERS`, in that database's environment.

The shop is that of `make demo`, with plenty of everything. Writes as JSON what its callers know and compare.
"""

import sys
from decimal import Decimal

import django
import orjson

django.setup()

from django.core.management import call_command
from django.db import connection

from apikeys.issuance import issue
from apikeys.states import KeyType
from catalog.models import InventoryLevel, Product
from giftcards.cards import issuing
from kit.domain.actor import SYSTEM
from shop.models import Region
from staff.models import User
from tests.bench.shopper_data import signed_in
from tests.bench.stock_data import stock_up
from tests.load.shop import PASSWORD, PLENTY, SHOP, WAREHOUSE


def main() -> None:
    callers = int(sys.argv[1])
    call_command("migrate", verbosity=0)
    call_command("load_shop", str(SHOP), stdout=sys.stderr)
    stock_up(PLENTY)
    region = Region.objects.get(name="Europe")
    clerk = User.objects.create_superuser("clerk@shop.example", PASSWORD)
    terms = issuing.Terms(value=Decimal(25), currency_code=str(region.currency_id))
    levels = InventoryLevel.objects.filter(
        location__name=WAREHOUSE,
        inventory_item__variant_links__variant__product__status="published",
        inventory_item__variant_links__required_quantity=1,
    ).order_by("pk")
    links = levels.values_list("inventory_item_id", "location_id", "inventory_item__variant_links__variant_id")
    emails = [f"soak{number}@shop.example" for number in range(callers)]
    facts = {
        "publishable": issue(actor=SYSTEM, title="Storefront", type=KeyType.PUBLISHABLE).token,
        "secret": issue(actor=SYSTEM, title="Warehouse", type=KeyType.SECRET, created_by=clerk.pk).token,
        "region": region.pk,
        "levels": list(links[:callers]),
        "titles": dict(Product.objects.not_deleted().filter(status="published").values_list("pk", "title")),
        "customers": [(email, signed_in(email)[1]) for email in emails],
        "cards": [card.code for card in issuing.issue(actor=SYSTEM, terms=terms, count=callers)],
    }
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    sys.stdout.buffer.write(orjson.dumps(facts))


if __name__ == "__main__":
    main()
