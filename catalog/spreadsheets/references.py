"""Rows that a file names by id, handle or name: categories, channels, labels, locations, regions."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from catalog.models import PriceList, ProductCategory, ProductCollection, ProductTag, ProductType
from catalog.products import labels
from kit.domain.actor import Actor
from kit.editing.verbs import RowVerbs
from kit.errors import InvalidData, shown
from shop.models import Region, SalesChannel, ShippingProfile, StockLocation

_NAMED: Mapping[str, tuple[Any, tuple[str, ...]]] = {
    "category": (ProductCategory, ("handle", "name")),
    "collection": (ProductCollection, ("handle", "title")),
    "type": (ProductType, ("value",)),
    "tag": (ProductTag, ("value",)),
    "channel": (SalesChannel, ("name",)),
    "shipping_profile": (ShippingProfile, ("name",)),
    "location": (StockLocation, ("name",)),
    "region": (Region, ("name",)),
    "price_list": (PriceList, ("title",)),
}
"""By kind: the model, and what names its rows beside their ids; files are written with the first."""
_WORDS = {"channel": "sales channel"}
_CREATED: Mapping[str, RowVerbs[Any]] = {"type": labels.TYPES, "tag": labels.TAGS}


class New(str):
    """The name of a label that the shop does not have yet, in the place of its id."""

    __slots__ = ()


class References:
    """The rows of each kind, read when the first of them is named."""

    def __init__(self) -> None:
        self._ids: dict[str, dict[str, str | None]] = {}
        self._names: dict[str, dict[str, str]] = {}

    def id(self, kind: str, text: str) -> str:
        """The id of the row, or New. Raises InvalidData for what no row, or more than one, is called."""
        self._read(kind)
        ids, word = self._ids[kind], text.strip()
        found = ids.get(word, "")
        if found == "":
            found = ids.get(word.casefold(), "")
        if found:
            return found
        if found is None:
            raise InvalidData(f"Several are called '{shown(text)}'. Enter the id.")
        if kind in _CREATED:
            return New(word)
        raise InvalidData(f"No {_WORDS.get(kind, kind.replace('_', ' '))} is called '{shown(text)}'.")

    def location(self, text: str) -> str:
        """The id of a location; that of the only one for an empty text. Raises InvalidData."""
        locations = self.all("location")
        if not text and len(locations) != 1:
            raise InvalidData("This row names no location. Enter one, or choose one for the whole file.")
        return self.id("location", text) if text else next(iter(locations))

    def name(self, kind: str, id: str) -> str:
        """What a file calls the row: its name if it is the only one of that name, else its id."""
        self._read(kind)
        return self._names[kind].get(id, id)

    def all(self, kind: str) -> Mapping[str, str]:
        """The names of all rows by id."""
        self._read(kind)
        return self._names[kind]

    def create(self, kind: str, words: Iterable[str], *, actor: Actor) -> None:
        """Create labels, so that `id` finds them. Raises Forbidden."""
        wanted = sorted({word for word in words if isinstance(self.id(kind, word), New)})
        if wanted:
            verbs = _CREATED[kind]
            made = verbs.put_inside(actor=actor, states=[verbs.state(value=word) for word in wanted])
            self._ids[kind] |= {word: one.row.pk for word, one in zip(wanted, made, strict=True)}

    def _read(self, kind: str) -> None:
        if kind in self._ids:
            return
        model, columns = _NAMED[kind]
        rows = [*model._default_manager.filter(deleted_at=None).order_by("pk").values_list("pk", *columns)]
        ids: dict[str, str | None] = {}
        for place in range(len(columns), 0, -1):
            counted = Counter(row[place].casefold() for row in rows)
            exact = Counter(row[place] for row in rows)
            for row in rows:
                ids[row[place].casefold()] = row[0] if counted[row[place].casefold()] == 1 else None
            for row in rows:
                ids[row[place]] = row[0] if exact[row[place]] == 1 else None
        self._ids[kind] = {**ids, **{row[0]: row[0] for row in rows}}
        names = Counter(row[1] for row in rows)
        self._names[kind] = {row[0]: row[1] if names[row[1]] == 1 else row[0] for row in rows}
