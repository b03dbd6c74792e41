"""A grid that was saved before and comes back with other values: what was entered, beside what is stored by now.

Stock is booked as the difference to what the page showed, and some of that difference was booked with the first save.
"""

from collections.abc import Mapping
from typing import Any

import orjson

from catalog.admin.grid import grid_input
from catalog.products.product_editing.edits import Fault, VariantState


def compared(text: str, page: Mapping[str, Any]) -> tuple[str, list[Fault]]:
    """The text as if its page had shown what is stored now, and a fault for each cell that then differs.

    text: as it was submitted; it must be readable. page: the present columns and variants, as the script gets them.
    Cells that showed the present value are not reported.
    """
    given = orjson.loads(text)
    keys = [column["key"] for column in page["columns"]]
    stored = {row["id"]: dict(zip(keys, row["cells"], strict=True)) for row in page["variants"]}
    outdated = []
    for place, variant in enumerate(given["variants"]):
        current = stored.get(variant["id"], {})
        for column, cell in variant["cells"].items():
            if column in current and cell[0] != current[column]:
                cell[0] = current[column]
                outdated.append((place, column, current[column]))
    moved = orjson.dumps(given).decode()
    read = grid_input.read(moved)
    differing = [one for one in outdated if _is_changed(read.state.variants[one[0]], one[1])]
    conflicts = [Fault("", place, column, "", is_conflict=True, current=now) for place, column, now in differing]
    return moved, [*read.faults, *conflicts]


def _is_changed(variant: VariantState, column: str) -> bool:
    kind, _, key = column.partition(".")
    if kind == "stock":
        return bool(variant.stock.get(key))
    cell = variant.prices.get(key) if kind == "prices" else variant.attributes.get(kind)
    return cell is not None and cell.value != cell.read
