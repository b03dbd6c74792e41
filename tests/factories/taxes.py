"""Tax regions and their rates."""

from collections.abc import Collection
from decimal import Decimal
from typing import Any

from taxes.models import RuleReference, TaxRate, TaxRateRule, TaxRegion


def tax_region(country: str, province: str | None = None) -> TaxRegion:
    """The tax region of the place, made if there is none."""
    parent = None if province is None else tax_region(country)
    made, _ = TaxRegion.objects.get_or_create(country_id=country, province=province, parent=parent, deleted_at=None)
    return made


def tax_rate(
    country: str,
    rate: str | float | Decimal,
    province: str | None = None,
    *,
    products: Collection[Any] = (),
    types: Collection[Any] = (),
    options: Collection[Any] = (),
    **columns: Any,
) -> TaxRate:
    """A rate of the place: for these products, product types and shipping options, or the default without any."""
    rules = [
        *((RuleReference.PRODUCT, row.pk) for row in products),
        *((RuleReference.PRODUCT_TYPE, row.pk) for row in types),
        *((RuleReference.SHIPPING_OPTION, row.pk) for row in options),
    ]
    made = TaxRate.objects.create(
        tax_region=tax_region(country, province),
        rate=Decimal(str(rate)),
        **{"name": "VAT", "is_default": not rules, **columns},
    )
    for reference, key in rules:
        TaxRateRule.objects.create(tax_rate=made, reference=reference, reference_id=key)
    return made
