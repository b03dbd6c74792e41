"""Creating and changing regions.

Both verbs lock the rows that they change: if two regions want the same country, the first one gets it.
"""

from collections.abc import Collection, Sequence
from decimal import Decimal

from django.db import transaction

from commerce.kit.core import metadata as metadata_rules
from commerce.kit.core.absent import ABSENT, Absent
from commerce.kit.core.actor import Actor
from commerce.kit.core.locking import lock_rows
from commerce.kit.core.metadata import Metadata
from commerce.kit.core.money import currency, percent
from commerce.kit.core.text import LONGEST, checked, is_storable
from commerce.shop.default_region import ensure_default_region
from commerce.shop.errors import PaymentProviderUnknown, RegionNameTaken, RegionNotFound
from commerce.shop.models import PaymentProvider, Region
from commerce.shop.region_countries import assign_countries
from commerce.shop.region_taxes import Rate, assign_rates


@transaction.atomic
def create(
    *,
    actor: Actor,
    name: str,
    currency_code: str,
    countries: Collection[str] = (),
    tax_rate: Decimal = Decimal(0),
    tax_rates: Sequence[Rate] = (),
    is_tax_inclusive: bool = False,
    payment_providers: Collection[str] = (),
    metadata: Metadata | None = None,
) -> Region:
    """Create a region; the shop's first becomes the store's default.

    tax_rate: percent, if none of tax_rates applies. is_tax_inclusive: whether prices for the region include tax.
    Raises RegionNameTaken, CountryTaken, PaymentProviderUnknown, TaxRateRepeated, InvalidData, Forbidden.
    """
    actor.require("shop.add_region")
    region = Region.objects.create(
        **_details(name=name, currency_code=currency_code, tax_rate=tax_rate),
        is_tax_inclusive=is_tax_inclusive,
        metadata=metadata_rules.checked(metadata),
    )
    _assign(region, countries, tax_rates, payment_providers)
    ensure_default_region()
    return region


@transaction.atomic
def update(
    *,
    actor: Actor,
    region_id: str,
    name: str | None = None,
    currency_code: str | None = None,
    countries: Collection[str] | None = None,
    tax_rate: Decimal | None = None,
    tax_rates: Sequence[Rate] | None = None,
    is_tax_inclusive: bool | None = None,
    payment_providers: Collection[str] | None = None,
    metadata: Metadata | Absent | None = ABSENT,
) -> Region:
    """Change the given fields. None means not given, except for metadata. Lists replace the stored ones.

    Raises RegionNotFound, and the errors of `create`.
    """
    actor.require("shop.change_region")
    rows = lock_rows(Region.objects.not_deleted().filter(pk=region_id)) if is_storable(region_id) else []
    if not rows:
        raise RegionNotFound(region_id)
    region: Region = rows[0]
    values: dict[str, object] = {**_details(name=name, currency_code=currency_code, tax_rate=tax_rate, of=region)}
    if is_tax_inclusive is not None:
        values["is_tax_inclusive"] = is_tax_inclusive
    if metadata is not ABSENT:
        values["metadata"] = metadata_rules.merged(region.metadata, metadata_rules.checked(metadata))
    for attribute, value in values.items():
        setattr(region, attribute, value)
    region.save(update_fields=[*values, "updated_at"])
    _assign(region, countries, tax_rates, payment_providers)
    return region


def _details(
    *, name: str | None, currency_code: str | None, tax_rate: Decimal | None, of: Region | None = None
) -> dict[str, str | Decimal]:
    """The given values by attribute, checked."""
    details: dict[str, str | Decimal] = {}
    if name is not None:
        details["name"] = checked(name, field="name", longest=LONGEST, may_be_blank=False)
        if Region.objects.not_deleted().filter(name=name).exclude(pk=of and of.pk).exists():
            raise RegionNameTaken(name)
    if currency_code is not None:
        details["currency_id"] = currency(currency_code)
    if tax_rate is not None:
        details["tax_rate"] = percent(tax_rate, field="tax_rate")
    return details


def _assign(
    region: Region,
    countries: Collection[str] | None,
    tax_rates: Sequence[Rate] | None,
    payment_providers: Collection[str] | None,
) -> None:
    if countries is not None:
        assign_countries(region, countries)
    if tax_rates is not None:
        assign_rates(region, tax_rates)
    if payment_providers is not None:
        known = set(PaymentProvider.objects.not_deleted().filter(pk__in=payment_providers))
        unknown = sorted(set(payment_providers) - {provider.pk for provider in known})
        if unknown:
            raise PaymentProviderUnknown(unknown[0])
        region.payment_providers.set(known)
