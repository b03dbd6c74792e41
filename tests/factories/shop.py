"""Sales channels and regions for tests."""

from collections.abc import Iterable
from typing import Any

import factory

from shop.models import Country, Region, SalesChannel


class SalesChannelFactory(factory.django.DjangoModelFactory[SalesChannel]):
    """An open channel."""

    name = factory.Sequence(lambda number: f"Channel {number}")

    class Meta:
        model = SalesChannel


class RegionFactory(factory.django.DjangoModelFactory[Region]):
    """A region in US dollars without countries; countries=["us"] move to it, currency_id="eur" changes its money."""

    name = factory.Sequence(lambda number: f"Region {number}")
    currency_id = "usd"

    class Meta:
        model = Region
        skip_postgeneration_save = True

    @factory.post_generation
    def countries(self: Region, create: bool, codes: Iterable[str] | None, **_: Any) -> None:
        Country.objects.filter(iso_2__in=codes or ()).update(region=self)
