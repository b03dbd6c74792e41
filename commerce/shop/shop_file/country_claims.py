"""Which countries the regions of a shop file shall have: a country belongs to one region at most."""

from collections.abc import Sequence

from django.db.models import Q

from commerce.kit.core.locking import lock_rows
from commerce.kit.shop_file.problems import Problems
from commerce.kit.shop_file.writing import Changes
from commerce.shop.models import Country, Region
from commerce.shop.region_countries import holders_of


class CountryClaims:
    """A country moves where the file says so of both regions: the one that takes it, and the one that loses it."""

    def __init__(self, problems: Problems) -> None:
        self._problems = problems
        self._regions: set[str] = set()
        self._owners: dict[str, str] = {}
        self._paths: dict[str, str] = {}

    def state(self, region: Region, codes: Sequence[str], path: str) -> None:
        """The file says that these are the region's countries."""
        self._regions.add(region.pk)
        for index, code in enumerate(codes):
            owner = self._owners.setdefault(code, region.pk)
            place = self._paths.setdefault(code, f"{path}[{index}]")
            if owner != region.pk:
                self._problems.add(f"{path}[{index}]", f"'{code}' already appears at {place}")

    def settle(self) -> None:
        """Move the countries, once all is said. Regions that the file says nothing of keep theirs: that is told."""
        countries = lock_rows(Country.objects.filter(Q(region__in=self._regions) | Q(pk__in=self._owners)))
        holders = holders_of(countries)
        changes = Changes(Country)
        for country in countries:
            owner, holder = self._owners.get(country.pk), holders.get(country.region_id or "")
            if holder and holder.pk != owner and holder.pk not in self._regions:
                self._tell_held(country.pk, holder)
            else:
                changes.change(country, {"region_id": owner})
        changes.write()

    def _tell_held(self, code: str, holder: Region) -> None:
        if not self._problems.is_invalid("regions", holder.name):
            message = f"'{code}' belongs to the region '{holder.name}', and the file does not take it from there"
            self._problems.add(self._paths[code], message)
