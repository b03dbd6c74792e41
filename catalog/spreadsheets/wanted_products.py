"""What the rows of a file say of one product, in the words of the catalogue."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from catalog.handles import handle_of, normalized
from catalog.spreadsheets.product_columns import KEPT, MANY, ONE, PRODUCT
from catalog.spreadsheets.references import References
from catalog.spreadsheets.wanted_variants import VariantReader, WantedVariant
from kit.errors import DomainError
from kit.spreadsheets.declarations import Options, Record, Values
from kit.spreadsheets.single_rows import Refusing
from pictures.fetching import is_elsewhere

_OTHER_VALUE = "Row {} of this product has another value. Enter the same one, or leave this cell empty."

Place = tuple[str, int]
"""A field, and the number of a row."""


@dataclass(slots=True)
class WantedProduct:
    """values: as of a StoredProduct, of fields that the file has; New in the place of ids of labels to create.

    written_handle: as the file has it, before it became one that a URL can hold. pictures: where each address stands.
    unfetched: those of them that are to be fetched.
    """

    id: str | None
    written_handle: str | None
    values: dict[str, Any]
    variants: list[WantedVariant]
    pictures: dict[str, list[Place]]
    unfetched: dict[str, list[Place]] = field(default_factory=dict)

    def put_copies(self, copies: Mapping[str, str], thumbnail: str | None) -> None:
        """Put the paths of fetched pictures in the place of their addresses, where pictures are to be fetched.

        thumbnail: the stored one, which the file has as an image, too, if it has no column for it.
        """
        address = self.values.get("thumbnail", thumbnail)
        if address in self.pictures and address in copies:
            self.values["thumbnail"] = copies[address]
        if addresses := self.values.get("images"):
            self.values["images"] = [*dict.fromkeys(copies.get(address, address) for address in addresses)]
        missing = {address: places for address, places in self.pictures.items() if address not in copies}
        self.unfetched = {address: places for address, places in missing.items() if is_elsewhere(address)}


class Reader:
    """Reads records with the options of their import."""

    def __init__(self, fields: frozenset[str], options: Options, references: References) -> None:
        self._references, self._fields = references, fields
        self._variants = VariantReader(fields, options, references)
        self._lists = {
            stem: sorted((name for name in fields if name.startswith(f"{stem}:")), key=_number)
            for stem in (*MANY, "image")
        }

    def product_of(self, record: Record) -> WantedProduct:
        """What the record says. Adds problems to it."""
        first = self._merged(record)
        values: dict[str, Any] = {}
        for name in PRODUCT:
            if name in first and not (first[name] is None and name in KEPT):
                values[name] = first[name]
        self._put_status(first, values)
        ships = [row["ships"] for _, row in record.rows if row.get("ships") is not None]
        if ships and "requires_shipping" not in values:
            values["requires_shipping"] = any(ships)
        if values.get("handle") or not first.get("id"):
            values["handle"] = key_of(first)
        self._put_relations(record, first, values)
        self._put_images(record, first, values)
        variants, pictures = self._variants.variants(record), self._pictures(record)
        return WantedProduct(first.get("id"), first.get("handle"), values, variants, pictures)

    def _merged(self, record: Record) -> Values:
        """The values of the first row. Later ones may repeat them, or be empty."""
        number, first = record.rows[0]
        for row, values in record.rows[1:]:
            for name, value in values.items():
                if value is not None and _is_of_product(name) and first.get(name) != value:
                    if name == "id" or first.get(name) is not None:
                        record.refuse(_OTHER_VALUE.format(number), name, row)
                    else:
                        first = {**first, name: value}
        return first

    def _put_status(self, first: Values, values: dict[str, Any]) -> None:
        if values.get("status") is None and first.get("published") is not None:
            values["status"] = "published" if first["published"] else "draft"
        elif values.get("status") == "published" and first.get("published") is False:
            values["status"] = "draft"

    def _put_relations(self, record: Record, first: Values, values: dict[str, Any]) -> None:
        for name, column in ONE.items():
            if name in first:
                values[column] = first[name] and self._known(record, name, name, first[name])
        for stem, column in MANY.items():
            texts = [(name, first[name]) for name in self._lists[stem] if first.get(name)]
            if stem == "tag" and first.get("tags"):
                texts += [("tags", word.strip()) for word in first["tags"].split(",") if word.strip()]
            if self._lists[stem] or (stem == "tag" and "tags" in self._fields):
                found = [self._known(record, stem, name, text) for name, text in texts]
                values[column] = list(dict.fromkeys(key for key in found if key))

    def _known(self, record: Record, kind: str, field: str, text: str) -> str | None:
        with Refusing(record, field):
            return self._references.id(kind, text)
        return None

    def _put_images(self, record: Record, first: Values, values: dict[str, Any]) -> None:
        if self._lists["image"]:
            values["images"] = [first[name] for name in self._lists["image"] if first.get(name)]
        elif "row_image" in self._fields:
            given = [
                (row.get("image_position") or place, row["row_image"])
                for place, (_, row) in enumerate(record.rows, 1)
                if row.get("row_image")
            ]
            values["images"] = list(dict.fromkeys(url for _, url in sorted(given, key=lambda one: one[0])))

    def _pictures(self, record: Record) -> dict[str, list[Place]]:
        fields = ("thumbnail", *(self._lists["image"] or ("row_image",)))
        found: dict[str, list[Place]] = {}
        for row, values in record.rows:
            for name in fields:
                address = values.get(name)
                if address and (name == "row_image" or row == record.number or address not in found):
                    found.setdefault(address, []).append((name, row))
        return found


def key_of(values: Values) -> str:
    """The handle of the row's product, or what follows from its title, or its id."""
    handle = values.get("handle")
    try:
        return normalized(handle) if handle else values.get("id") or handle_of(values.get("title") or "")
    except DomainError:
        return handle or ""


def _number(name: str) -> int:
    return int(name.partition(":")[2])


def _is_of_product(name: str) -> bool:
    return name in (*PRODUCT, *ONE, "id", "tags", "published") or name.startswith(
        ("tag:", "category:", "channel:", "image:")
    )
