"""Sales channels for tests."""

import factory

from commerce.shop.models import SalesChannel


class SalesChannelFactory(factory.django.DjangoModelFactory[SalesChannel]):
    """An open channel."""

    name = factory.Sequence(lambda number: f"Channel {number}")

    class Meta:
        model = SalesChannel
