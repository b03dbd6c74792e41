"""How many products the store shows in each sales channel."""

from django.db import models

from kit.derived.kept_counts import KeptCounts
from kit.values.ids import ID_MAX_LENGTH


class ProductCount(KeptCounts):
    """A change in how many products the store shows in the sales channel; triggers add it (catalog/listings/counts).

    It answers no filter: the count of a filter's matches depends on more than the channel.
    """

    answered = frozenset()

    sales_channel_id = models.CharField(max_length=ID_MAX_LENGTH)

    objects = models.Manager["ProductCount"]()

    def __str__(self) -> str:
        return f"{self.number:+}"
