"""Codes of variants, such as SKUs, of which no two variants can have the same."""

from collections.abc import Collection, Sequence

from django.db.models import Q

from catalog.models import ProductVariant
from catalog.models.variants import CODES
from catalog.spreadsheets.product_changes import VariantChange
from kit.errors import shown
from kit.spreadsheets.declarations import Planned, Record


def refuse_taken(planned: Sequence[Planned]) -> None:
    """Refuse records with a new code that another variant has and keeps, or that an earlier record has. One statement.

    The codes of records with other problems stay as they are stored. Only these records are compared: a code that is
    repeated further down the file is refused when it is written.
    """
    changes: list[tuple[Record, VariantChange]] = [
        (one.record, made) for one in planned for made in one.change.variants
    ]
    given = [
        (record, made.row, (column, code))
        for record, made in changes
        for column in CODES
        if (code := made.values.get(column))
    ]
    left = {
        (column, made.stored.values[column])
        for record, made in changes
        for column in CODES
        if column in made.values and made.stored and not record.problems
    }
    taken = _stored({code for *_, code in given} - left) if given else set()
    first: dict[tuple[str, str], int] = {}
    for record, row, code in given:
        if code in taken:
            record.refuse(f"Another variant has the code '{shown(code[1])}'.", code[0], row)
        elif code in first:
            record.refuse(f"Row {first[code]} has the code '{shown(code[1])}', too.", code[0], row)
        elif not record.problems:
            first[code] = row


def _stored(codes: Collection[tuple[str, str]]) -> set[tuple[str, str]]:
    wanted = Q(pk=None)
    for column in CODES:
        wanted |= Q(**{f"{column}__in": [code for name, code in codes if name == column]})
    rows = ProductVariant.objects.not_deleted().filter(wanted).values(*CODES)
    return {(column, code) for row in rows for column, code in row.items()}
