"""Creating and changing regions.

Both verbs lock the rows that they change: if two regions want the same country, the first one gets it.
"""

from collections.abc import Collection, Sequence
from decimal import Decimal
from typing import TypedDict, Unpack

from django.db import transaction

from commerce.kit.core import metadata as metadata_rules
from commerce.kit.core.actor import Actor
from commerce.kit.core.locking import lock_row
from commerce.kit.core.metadata import Metadata
from commerce.kit.core.money import currency, percent
from commerce.kit.core.text import LONGEST, checked
from commerce.shop.default_region import ensure_default_region
from commerce.shop.errors import PaymentProviderUnknown, RegionNameTaken, RegionNotFound
from commerce.shop.models import PaymentProvider, Region
from commerce.shop.region_countries import assign_countries
from commerce.shop.region_taxes import Rate, assign_rates


class RegionDetails(TypedDict, total=False):
    """The fields of a region that can change; omitted ones stay."""

    name: str
    currency_code: str
    countries: Collection[str]
    tax_rate: Decimal
    tax_rates: Sequence[Rate]
    is_tax_inclusive: bool
    payment_providers: Collection[str]
    metadata: Metadata | None


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
        **_columns({"name": name, "currency_code": currency_code, "tax_rate": tax_rate}),
        is_tax_inclusive=is_tax_inclusive,
        metadata=metadata_rules.checked(metadata),
    )
    _assign(region, {"countries": countries, "tax_rates": tax_rates, "payment_providers": payment_providers})
    ensure_default_region()
    return region


@transaction.atomic
def update(*, actor: Actor, region_id: str, **changes: Unpack[RegionDetails]) -> Region:
    """Change the given fields. Lists replace the stored ones; metadata is merged.

    Raises RegionNotFound, and the errors of `create`.
    """
    actor.require("shop.change_region")
    region: Region | None = lock_row(Region.objects.not_deleted(), region_id)
    if region is None:
        raise RegionNotFound(region_id)
    values = _columns(changes, of=region)
    if "metadata" in changes:
        values["metadata"] = metadata_rules.merged(region.metadata, metadata_rules.checked(changes["metadata"]))
    for attribute, value in values.items():
        setattr(region, attribute, value)
    region.save(update_fields=[*values, "updated_at"])
    _assign(region, changes)
    return region


def _columns(given: RegionDetails, *, of: Region | None = None) -> dict[str, object]:
    """The columns of the given details but metadata, checked."""
    columns: dict[str, object] = {}
    if "name" in given:
        columns["name"] = checked(given["name"], field="name", longest=LONGEST, may_be_blank=False)
        if Region.objects.not_deleted().filter(name=given["name"]).exclude(pk=of and of.pk).exists():
            raise RegionNameTaken(given["name"])
    if "currency_code" in given:
        columns["currency_id"] = currency(given["currency_code"])
    if "tax_rate" in given:
        columns["tax_rate"] = percent(given["tax_rate"], field="tax_rate")
    if "is_tax_inclusive" in given:
        columns["is_tax_inclusive"] = given["is_tax_inclusive"]
    return columns


def _assign(region: Region, given: RegionDetails) -> None:
    if "countries" in given:
        assign_countries(region, given["countries"])
    if "tax_rates" in given:
        assign_rates(region, given["tax_rates"])
    if "payment_providers" in given:
        payment_providers = given["payment_providers"]
        known = set(PaymentProvider.objects.not_deleted().filter(pk__in=payment_providers))
        unknown = sorted(set(payment_providers) - {provider.pk for provider in known})
        if unknown:
            raise PaymentProviderUnknown(unknown[0])
        region.payment_providers.set(known)
