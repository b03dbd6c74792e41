"""Codes of variants, such as SKUs, of which no two variants can have the same."""

from collections import defaultdict
from collections.abc import Collection, Sequence

from django.db.models import Q

from catalog.models import ProductVariant
from catalog.models.variants import CODES
from catalog.spreadsheets.product_changes import ProductChange, VariantChange
from kit.errors import shown
from kit.spreadsheets.declarations import Planned, Record


def refuse_taken(planned: Sequence[Planned]) -> None:
    """Refuse records with a new code that another variant has and keeps, or that an earlier record has. One statement.

    Later batches of the file are not looked at: writing refuses what they repeat.
    """
    given: dict[tuple[str, str], list[tuple[Record, VariantChange]]] = defaultdict(list)
    left: set[tuple[str, str]] = set()
    for each in planned:
        change: ProductChange = each.change
        for made in change.variants:
            for column in (column for column in CODES if column in made.values):
                if code := made.values[column]:
                    given[column, code].append((each.record, made))
                if made.stored and made.stored.values[column]:
                    left.add((column, made.stored.values[column]))
    taken = _stored(given.keys() - left) if given else set()
    for (column, code), named in given.items():
        for place, (record, made) in enumerate(named):
            if (column, code) in taken:
                record.refuse(f"Another variant has the code '{shown(code)}'.", column, made.row)
            elif place:
                record.refuse(f"Row {named[0][1].row} has the code '{shown(code)}', too.", column, made.row)


def _stored(codes: Collection[tuple[str, str]]) -> set[tuple[str, str]]:
    wanted = Q(pk=None)
    for column in CODES:
        wanted |= Q(**{f"{column}__in": [code for name, code in codes if name == column]})
    rows = ProductVariant.objects.not_deleted().filter(wanted).values(*CODES)
    return {(column, code) for row in rows for column, code in row.items()}
