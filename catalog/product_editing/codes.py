"""SKUs and barcodes, of which no two variants of the shop that are not deleted share one."""

from collections.abc import Collection, Sequence

from catalog.models import ProductVariant
from catalog.product_editing.edits import Fault, ProductState

CODES = ("sku", "barcode")
LABELS = {"title": "Title", "sku": "SKU", "barcode": "Barcode", "weight": "Weight"}


class Codes:
    """Which variants have the codes that the states give. Two statements."""

    def __init__(self, states: Sequence[ProductState]) -> None:
        self._holders = {code: _holders(code, states) for code in CODES}

    def faults(self, product_id: str, rows: Sequence[ProductVariant], every: Collection[ProductVariant]) -> list[Fault]:
        """The codes that others have. rows: the variants of the state, as wanted. every: those of all products."""
        own, edited = {row.pk for row in rows}, {row.pk for row in every}
        living = [row for row in every if row.deleted_at is None and row.pk not in own]
        faults = []
        for code in CODES:
            taken = {getattr(row, code): row.title for row in living}
            taken |= {value: title for value, (key, title) in self._holders[code].items() if key not in edited}
            for index, row in enumerate(rows):
                value = getattr(row, code)
                if value is None:
                    continue
                if value in taken:
                    message = f"The variant '{taken[value]}' has this {LABELS[code]}."
                    faults.append(Fault(product_id, index, code, message))
                taken.setdefault(value, row.title)
        return faults


def _holders(code: str, states: Sequence[ProductState]) -> dict[str, tuple[str, str]]:
    cells = [one.attributes[code] for state in states for one in state.variants if code in one.attributes]
    values = {cell.value for cell in cells if cell.value is not None}
    if not values:
        return {}
    rows = ProductVariant.objects.not_deleted().filter(**{f"{code}__in": values})
    found = rows.values_list(code, "pk", "product__title", "title")
    return {value: (pk, f"{product} / {title}") for value, pk, product, title in found}
