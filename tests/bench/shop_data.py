"""Fills a database for the bench: `python -m tests.bench.shop_data KIND SIZE`, in that database's environment.

Writes as JSON what the requests of the kind's cases name, and as `substitute` the remark on data that replace missing
ones, or null.
"""

import sys

import django
import orjson

django.setup()

from django.core.management import call_command
from django.db import connection

from apikeys.issuance import issue
from kit.domain.actor import SYSTEM
from staff.models import User
from tests.bench.category_data import category_facts, fill_categories
from tests.bench.credit_data import fill_credit
from tests.bench.demo_data import fill_demo_shop
from tests.bench.order_data import fill_orders
from tests.bench.product_data import fill_products
from tests.bench.product_facts import product_facts
from tests.bench.shopper_data import fill_shoppers


def main() -> None:
    kind, size = sys.argv[1], int(sys.argv[2])
    call_command("migrate", verbosity=0)
    issued = issue(actor=SYSTEM, title="Bench", type="publishable")
    if kind == "categories":
        substitute = fill_categories(size)
        known = category_facts()
    elif kind == "shoppers":
        substitute = fill_categories(0)
        fill_products(size)
        known = fill_shoppers()
        known |= fill_credit(known["currency_code"])
    elif kind == "orders":
        substitute = fill_categories(0)
        fill_products(size)
        known = fill_orders()
    else:
        if size:
            substitute = fill_categories(0)
            fill_products(size)
        else:
            substitute = fill_demo_shop(issued.key)
        known = product_facts(issued.key)
    known["substitute"] = substitute
    user = User.objects.create_superuser("bench@shop.example")
    known["publishable"] = issued.token
    known["secret"] = issue(actor=SYSTEM, title="Bench", type="secret", created_by=user.pk).token
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE" if connection.vendor == "postgresql" else "ANALYZE")
    sys.stdout.buffer.write(orjson.dumps(known))


if __name__ == "__main__":
    main()
