"""The countries that a shop file gives to its regions: a country belongs to at most one region."""

from collections.abc import Sequence

from django.db.models import Q

from commerce.kit.core.locking import lock_rows
from commerce.kit.shop_file.problems import Problems
from commerce.kit.shop_file.writing import Changes
from commerce.shop.models import Country, Region
from commerce.shop.region_countries import regions_of


class CountryClaims:
    """A country moves only if the file changes both regions: the one that gets it and the one that loses it."""

    def __init__(self, problems: Problems) -> None:
        self._problems = problems
        self._regions: set[str] = set()
        self._owners: dict[str, str] = {}
        self._paths: dict[str, str] = {}

    def claim(self, region: Region, codes: Sequence[str], path: str) -> None:
        """Record that the file gives these countries to the region."""
        self._regions.add(region.pk)
        for index, code in enumerate(codes):
            owner = self._owners.setdefault(code, region.pk)
            place = self._paths.setdefault(code, f"{path}[{index}]")
            if owner != region.pk:
                self._problems.add(f"{path}[{index}]", f"'{code}' already appears at {place}")

    def apply(self) -> None:
        """Move the countries, after all claims. Taking one from a region that the file does not change is a problem."""
        countries = lock_rows(Country.objects.filter(Q(region__in=self._regions) | Q(pk__in=self._owners)))
        holders = regions_of(countries)
        changes = Changes(Country)
        for country in countries:
            owner, holder = self._owners.get(country.pk), holders.get(country.region_id or "")
            if holder and holder.pk != owner and holder.pk not in self._regions:
                self._report_held(country.pk, holder)
            else:
                changes.change(country, {"region_id": owner})
        changes.write()

    def _report_held(self, code: str, holder: Region) -> None:
        if not self._problems.is_invalid("regions", holder.name):
            message = f"'{code}' belongs to the region '{holder.name}', which the file does not change"
            self._problems.add(self._paths[code], message)
