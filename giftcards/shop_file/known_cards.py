"""The stored gift cards that a batch of a shop file names."""

from collections.abc import Sequence

from giftcards.models import GiftCard
from kit.shop_file.values import Entry

Pair = tuple[str, str]
"""A reference and its reference_id."""


def pair_of(entry: Entry) -> Pair | None:
    """The reference that identifies an object's card if it has no code; None without one."""
    reference, reference_id = entry.given.get("reference"), entry.given.get("reference_id")
    return (reference, reference_id) if reference and reference_id else None


class KnownCards:
    """Cards by id, code and reference, including deleted ones, whose codes stay taken. Two statements."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        ids, codes = ([entry.given[name] for entry in entries if name in entry.given] for name in ("id", "code"))
        named = GiftCard.objects.filter(pk__in=ids) | GiftCard.objects.filter(code__in=codes)
        rows = list(named)
        self.by_id = {row.pk: row for row in rows}
        self.by_code = {row.code: row for row in rows}
        self.by_pair: dict[Pair, list[GiftCard]] = {}
        pairs = {pair for entry in entries if "code" not in entry.given and (pair := pair_of(entry))}
        alike = GiftCard.objects.filter(
            reference__in={pair[0] for pair in pairs}, reference_id__in={pair[1] for pair in pairs}
        )
        for row in alike.order_by("pk") if pairs else ():
            self.by_pair.setdefault((str(row.reference), str(row.reference_id)), []).append(row)
