"""Counts that are kept: rows whose numbers add up to how many rows of another table there are of each combination.

Counting the matches of a filter takes PostgreSQL a visit to each index entry: half a second for a million rows. Where
triggers append a row to a table of counts for each change, a count is the sum of a few rows.
"""

from typing import ClassVar

from django.db import models


class KeptCounts(models.Model):
    """Rows of a table of counts. A subclass has the columns of the combination, named as those of the counted model.

    answered: the lookups of the counted model that mean the same here.
    """

    answered: ClassVar[frozenset[str]]

    number = models.IntegerField()

    class Meta:
        abstract = True
