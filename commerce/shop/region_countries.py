"""The countries of a region."""

from collections.abc import Iterable

from django.db.models import Q

from commerce.kit.core import places
from commerce.kit.core.locking import lock_rows
from commerce.kit.core.timestamps import now
from commerce.shop.errors import CountryTaken
from commerce.shop.models import Country, Region


def assign_countries(region: Region, codes: Iterable[str]) -> None:
    """Replace the countries of the region, whose row the caller has locked.

    codes: ISO 3166-1 alpha-2 in any case. Raises InvalidData for other texts, and CountryTaken for a country of another
    region that is not deleted. The countries are locked first, so that two regions cannot both take one.
    """
    wanted = {places.country(code, field="countries") for code in codes}
    countries = lock_rows(Country.objects.filter(Q(region=region) | Q(pk__in=wanted)))
    holders = regions_of(countries)
    for country in countries:
        holder = holders.get(country.region_id or "")
        if country.pk in wanted and holder and holder != region:
            raise CountryTaken(country.pk, holder.name)
    taken = [country.pk for country in countries if country.pk in wanted and country.region_id != region.pk]
    lost = [country.pk for country in countries if country.pk not in wanted]
    Country.objects.filter(pk__in=taken).update(region=region, updated_at=now())
    Country.objects.filter(pk__in=lost).update(region=None, updated_at=now())


def regions_of(countries: Iterable[Country]) -> dict[str, Region]:
    """The regions of these countries, by id; deleted regions are left out. The caller has locked the countries.

    Read after the lock: in a join with the locked rows, PostgreSQL would return the regions as before the wait.
    """
    return Region.objects.not_deleted().in_bulk({country.region_id for country in countries if country.region_id})
