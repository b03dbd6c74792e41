"""`python -m tests.carts.money`: calculates all combinations of grid.py. Exit code 1 if one differs."""

import os
import sys

import django

os.environ.update(
    COMMERCE_ENV="development", DATABASE_URL="sqlite://:memory:", DJANGO_SETTINGS_MODULE="commerce.settings"
)
django.setup()

from tests.carts.money.grid import PERCENTAGES, PRICES, RATES, combinations, differences

wrong = differences(combinations())
rows = [f"{each.price / 100:.2f} including {each.rate} %, less {each.percentage} %" for each in wrong[:20]]
rows.append(f"{len(wrong):,} of {len(PRICES) * len(RATES) * len(PERCENTAGES):,} differ")
sys.stdout.write("\n".join(rows) + "\n")
sys.exit(1 if wrong else 0)
