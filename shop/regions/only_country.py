"""The only country of a region, by whose rates goods are taxed while no address says more.

Why: docs/decisions/taxes.md#without-an-address-the-regions-only-country-applies.
"""

from typing import TypeVar, cast

from django.db.models import Exists, Model, OuterRef, QuerySet, Subquery

from shop.models import Country

ONLY_COUNTRY = "only_country"
Rows = TypeVar("Rows", bound=Model)


def with_only_country(rows: QuerySet[Rows], *, region: str) -> QuerySet[Rows]:
    """The rows with `only_country`: the code of their region's only country, None if there is no tax region for it.

    region: the column or ORM path of the region's id.
    """
    others = Country.objects.filter(region=OuterRef("region"), deleted_at=None).exclude(pk=OuterRef("pk"))
    only = Country.objects.filter(
        ~Exists(others),
        region=OuterRef(region),
        deleted_at=None,
        tax_regions__isnull=False,  # of the taxes app
        tax_regions__deleted_at=None,
    )
    return cast("QuerySet[Rows]", rows.annotate(only_country=Subquery(only.values("pk")[:1])))
