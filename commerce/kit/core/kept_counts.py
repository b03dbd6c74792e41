"""Kept counts: for each combination of some columns of a table, rows whose numbers add up to its number of rows.

To count the matches of a filter, PostgreSQL visits each index entry, which takes half a second for a million rows. If
triggers append a row to a table of counts for each change, the count is the sum of a few rows.
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
