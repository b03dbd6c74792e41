"""SKUs and barcodes, of which no two variants of the shop that are not deleted share one."""

from collections.abc import Collection, Sequence

from catalog.models import ProductVariant
from catalog.products.product_editing.edits import Fault, ProductState

CODES = ("sku", "barcode")
LABELS = {"title": "Title", "sku": "SKU", "barcode": "Barcode", "weight": "Weight"}


class Codes:
    """Which variants have the codes that the states give. Two statements."""

    def __init__(self, states: Sequence[ProductState]) -> None:
        self._holders = {code: _holders(code, states) for code in CODES}

    def faults(
        self, state: ProductState, rows: Sequence[ProductVariant], every: Collection[ProductVariant]
    ) -> list[Fault]:
        """The given codes that others have. rows: the state's variants, as wanted. every: those of all products."""
        edited = {row.pk for row in every}
        faults = []
        for code in CODES:
            given = [index for index, one in enumerate(state.variants[: len(rows)]) if code in one.attributes]
            own = {rows[index].pk for index in given}
            taken = {getattr(row, code): row.title for row in every if row.deleted_at is None and row.pk not in own}
            taken |= {value: title for value, (key, title) in self._holders[code].items() if key not in edited}
            for index in given:
                value = getattr(rows[index], code)
                if value is not None and value in taken:
                    message = f"The variant '{taken[value]}' has this {LABELS[code]}."
                    faults.append(Fault(state.id, index, code, message))
                taken.setdefault(value, rows[index].title)
        return faults


def _holders(code: str, states: Sequence[ProductState]) -> dict[str, tuple[str, str]]:
    cells = [one.attributes[code] for state in states for one in state.variants if code in one.attributes]
    values = {cell.value for cell in cells if cell.value is not None}
    if not values:
        return {}
    rows = ProductVariant.objects.not_deleted().filter(**{f"{code}__in": values})
    found = rows.values_list(code, "pk", "product__title", "title")
    return {value: (pk, f"{product} / {title}") for value, pk, product, title in found}
