"""Regions whose `is_tax_inclusive` has no effect, since no price names them."""

from django.db.models import F, QuerySet

from catalog.models import PriceRule
from catalog.rule_attributes import REGION
from shop.models import Region


def regions_without_prices() -> QuerySet[Region]:
    """Regions whose `is_tax_inclusive` differs from that of their currency, without a price that it applies to.

    It applies to prices that name the region. Prices that name a currency alone are as the currency states them.
    """
    of_regions = PriceRule.objects.not_deleted().filter(attribute=REGION, price__deleted_at=None).values("value")
    differing = Region.objects.not_deleted().exclude(is_tax_inclusive=F("currency__is_tax_inclusive"))
    return differing.exclude(pk__in=of_regions).order_by("name")
