"""The one table that throttles count in, so that all web processes share their limits."""

from django.db import models


class Counter(models.Model):
    """How often one subject tried one thing within a window.

    digest: names throttle and subject without showing them. window_end: seconds since 1970, UTC.
    """

    digest = models.CharField(primary_key=True, max_length=64)
    count = models.PositiveIntegerField()
    window_end = models.BigIntegerField(db_index=True)

    def __str__(self) -> str:
        return f"{self.count} until {self.window_end}"
