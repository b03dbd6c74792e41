"""The countries of regions: a country belongs to at most one."""

from collections.abc import Collection, Iterator

from django.db.models import Q

from kit.database.locking import lock_rows
from kit.editing.changes import Changes
from shop.errors import CountryTaken
from shop.models import Country, Region


class CountryEdits:
    """The countries of a batch of regions, which the caller has locked. A country can move between two of them.

    changed: the ids of the regions that get or lose one.
    """

    def __init__(self) -> None:
        self._regions: dict[str, Region] = {}
        self._owners: dict[str, str] = {}
        self._repeated: list[tuple[str, CountryTaken]] = []
        self._changes = Changes(Country)
        self.changed: set[str] = set()

    def claim(self, region: Region, codes: Collection[str]) -> None:
        """Give the region these countries and no others."""
        self._regions[region.pk] = region
        for code in codes:
            owner = self._owners.setdefault(code, region.pk)
            if owner != region.pk:
                self._repeated.append((region.pk, CountryTaken(code, self._regions[owner].name)))

    def put(self) -> Iterator[tuple[str, CountryTaken]]:
        """Move the countries, after all claims. Yields each that cannot, with the id of the region that claims it.

        The countries are locked first, so that two regions cannot both take one; then their regions are read. In a join
        with the locked rows, PostgreSQL would return the regions as before the wait.
        """
        yield from self._repeated
        if not self._regions:
            return
        countries = lock_rows(Country.objects.filter(Q(region__in=[*self._regions]) | Q(pk__in=[*self._owners])))
        holders = Region.objects.not_deleted().in_bulk({one.region_id for one in countries if one.region_id})
        for country in countries:
            owner, holder = self._owners.get(country.pk), holders.get(country.region_id or "")
            if owner is not None and holder is not None and holder.pk not in self._regions:
                yield owner, CountryTaken(country.pk, holder.name)
                continue
            before = country.region_id
            if self._changes.change(country, {"region_id": owner}):
                self.changed |= {key for key in (before, owner) if key is not None}

    def write(self) -> None:
        """Save the moves, once the regions are stored."""
        self._changes.write()
