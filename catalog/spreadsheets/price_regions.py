"""The regions of prices."""

from django.db.models import QuerySet

from catalog.models import Price, PriceRule
from catalog.rule_attributes import REGION
from catalog.spreadsheets.references import References
from catalog.states import RuleOperator

Terms = tuple[str, str | None]
"""The currency of a price, and its region."""


def regions_of(prices: QuerySet[Price]) -> dict[str, str]:
    """The region of each of these prices with rules, "" for one with other rules, or of a region that is deleted."""
    regions: dict[str, str] = {}
    live = References().all("region")
    rules = PriceRule.objects.not_deleted().filter(price__in=prices)
    for key, *rule in rules.values_list("price", "attribute", "operator", "value"):
        is_region = rule[:2] == [REGION, RuleOperator.EQUAL] and rule[2] in live
        regions[key] = rule[2] if is_region and key not in regions else ""
    return regions
