import pytest

from kit.domain.actor import SYSTEM
from kit.editing.states import RowsRefused
from shop.errors import CountryTaken
from shop.models import Country, Region
from shop.regions import regions
from tests.concurrency.crowd import at_once
from tests.factories.shop import RegionFactory

THREADS = 4
ROUNDS = 15


@pytest.mark.django_db(transaction=True)
def test_of_regions_that_want_the_same_countries_the_first_gets_them():
    rivals = [RegionFactory() for _ in range(THREADS)]

    def want(thread: int) -> list[str] | None:
        try:
            state = regions.VERBS.state(id=rivals[thread].pk, countries=["de", "at"])
            regions.VERBS.put(actor=SYSTEM, states=[state])
        except RowsRefused as refusal:
            return None if isinstance(refusal.faults[0].error, CountryTaken) else [refusal.message]
        return [country.pk for country in Country.objects.filter(region=rivals[thread].pk)]

    for _ in range(ROUNDS):
        won = [countries for countries in at_once(want, threads=THREADS) if countries is not None]
        assert list(map(set, won)) == [{"de", "at"}]
        Country.objects.update(region=None)
    assert Region.objects.count() == THREADS
