"""Variants and inventory items that the rows of a file name by id or SKU."""

from collections.abc import Sequence
from typing import TypeVar

from django.db.models import Q

from catalog.models import InventoryItem, ProductVariant
from kit.spreadsheets.declarations import Record, Values

Goods = TypeVar("Goods", ProductVariant, InventoryItem)


def named_goods(
    model: type[Goods], noun: str, field: str, records: Sequence[Record], rows: Sequence[Values]
) -> list[Goods | None]:
    """The one that each row names, by its id in this field or by its SKU. Where there is none, that is a problem.

    noun: what problems call one.
    """
    words = {text for row in rows for text in (row.get(field), row.get("sku")) if text}
    found = model.objects.not_deleted().filter(Q(pk__in=words) | Q(sku__in=words))
    known = {key: one for one in found for key in ((field, one.pk), ("sku", one.sku))}
    goods = []
    for record, row in zip(records, rows, strict=True):
        name = field if row.get(field) else "sku"
        goods.append(known.get((name, row[name])) if row.get(name) else None)
        if goods[-1] is None:
            kind = "SKU" if name == "sku" else "id"
            record.refuse(
                f"No {noun} has this {kind}." if row.get(name) else f"Enter the SKU or id of the {noun}.", name
            )
    return goods
