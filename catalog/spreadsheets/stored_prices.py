"""The stored prices that a file can have: those without quantities, and with no other rule than a region."""

from collections import defaultdict
from collections.abc import Collection
from decimal import Decimal

from django.db.models import Q

from catalog.models import Price
from catalog.spreadsheets.price_regions import Terms, regions_of

Amounts = dict[Terms, tuple[str, Decimal]]
"""The id and the amount of each price."""


def stored_prices(variant_ids: Collection[str]) -> defaultdict[tuple[str, str | None], Amounts]:
    """The prices that a file can have, by variant and list. Two statements."""
    rows = Price.objects.not_deleted().filter(price_set__variant__in=variant_ids, min_quantity=None, max_quantity=None)
    rows = rows.filter(Q(price_list=None) | Q(price_list__deleted_at=None))
    regions = regions_of(rows)
    found: defaultdict[tuple[str, str | None], Amounts] = defaultdict(dict)
    columns = ("pk", "price_set__variant", "price_list", "currency", "amount")
    for key, variant_id, list_id, currency, amount in rows.order_by("pk").values_list(*columns):
        region = regions.get(key)
        if region != "":
            found[variant_id, list_id].setdefault((currency, region), (key, amount))
    return found
