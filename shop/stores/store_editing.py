"""The store: its name, its defaults, and the seller whom invoices name."""

from collections.abc import Sequence
from typing import Any

from kit.editing.rows import RowEdits
from kit.editing.verbs import RowVerbs
from kit.errors import InvalidData
from kit.values import places
from shop.models import Region, Store
from shop.models.store import SELLER_TEXTS


def _check(edits: RowEdits[Store], states: Sequence[Any]) -> None:
    for index, state in enumerate(states):
        # A shop with regions must have a default one: without it, no price would have a currency.
        if state.default_region_id is None and Region.objects.not_deleted().exists():
            edits.refuse(index, "default_region", InvalidData("Field 'default_region' is required"))
        _check_seller(edits, index)


def _check_seller(edits: RowEdits[Store], index: int) -> None:
    """A blank text is null; the country is stored by its code, and so is a province that the country has."""
    row = edits.rows[index]
    texts = {name: (getattr(row, name) or "").strip() or None for name in SELLER_TEXTS}
    for name, stored in (("country_code", _country), ("province", _province)):
        try:
            texts[name] = stored(texts)
        except InvalidData as refusal:
            edits.refuse(index, name, refusal)
    edits.change(index, texts)


def _country(texts: dict[str, str | None]) -> str | None:
    code = texts["country_code"]
    return places.country(code) if code else None


def _province(texts: dict[str, str | None]) -> str | None:
    return places.address_province(texts["province"], country_code=texts["country_code"])


VERBS = RowVerbs(
    Store, ("name", "default_sales_channel_id", "default_region_id", *SELLER_TEXTS, "metadata"), check=_check
)
