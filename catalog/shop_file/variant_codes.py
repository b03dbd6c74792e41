"""Codes that no two variants of the shop share."""

from collections.abc import Mapping, Sequence

from catalog.category_details import LONGEST
from catalog.models import ProductVariant
from commerce.core.shop_file_problems import Problems
from commerce.core.shop_file_values import Entry, Id, Text, Value

CODES: Mapping[str, Value] = {
    name: Text(nullable=True, longest=LONGEST, may_be_blank=False) for name in ("sku", "barcode", "ean", "upc")
}
"""The fields of the codes."""

VARIANT_ID = Id(prefix="variant")


class Holders:
    """Which variants have the ids and codes that a batch names, and where in the batch each is named."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self._holders: dict[tuple[str, str], str] = {}
        self._places: dict[tuple[str, str], str] = {}
        for name in CODES:
            words = [entry.given[name] for entry in entries if entry.given.get(name) is not None]
            held = ProductVariant.objects.alive().filter(**{f"{name}__in": words}).values_list(name, "pk")
            self._holders |= {(name, code): pk for code, pk in (held if words else ())}
        ids = [entry.given["id"] for entry in entries if "id" in entry.given]
        self._ids = set(ProductVariant.objects.filter(pk__in=ids).values_list("pk", flat=True) if ids else ())

    def tell_taken(self, entry: Entry, row: ProductVariant | None, problems: Problems) -> None:
        """Tell of ids and codes that other variants have, in the shop or in the file; `row` is None for a new one."""
        given_id = entry.given.get("id")
        if row is None and given_id in self._ids:
            problems.add(f"{entry.path}.id", "is that of a variant that is deleted or of another product")
        for name in CODES:
            code = entry.given.get(name)
            if code is not None:
                self._tell_taken(entry, name, code, row, problems)

    def _tell_taken(self, entry: Entry, name: str, code: str, row: ProductVariant | None, problems: Problems) -> None:
        holder = self._holders.get((name, code))
        place = self._places.setdefault((name, code), entry.path)
        if place != entry.path:
            problems.add(f"{entry.path}.{name}", f"'{code}' is already at {place}")
        elif holder is not None and (row is None or holder != row.pk):
            problems.add(f"{entry.path}.{name}", f"'{code}' is that of {holder}")
