"""The stored prices that a file can have: those without quantities, and with no other rule than a region."""

from collections import defaultdict
from collections.abc import Collection
from decimal import Decimal

from django.db.models import Q, QuerySet

from catalog.models import Price, PriceRule
from catalog.rule_attributes import REGION
from catalog.spreadsheets.references import References
from catalog.states import RuleOperator

Terms = tuple[str, str | None]
"""The currency of a price, and its region."""
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


def regions_of(prices: QuerySet[Price]) -> dict[str, str]:
    """The region of each of these prices with rules, "" for one with other rules, or of a region that is deleted."""
    regions: dict[str, str] = {}
    live = References().all("region")
    rules = PriceRule.objects.not_deleted().filter(price__in=prices)
    for key, *rule in rules.values_list("price", "attribute", "operator", "value"):
        is_region = rule[:2] == [REGION, RuleOperator.EQUAL] and rule[2] in live
        regions[key] = rule[2] if is_region and key not in regions else ""
    return regions
