"""The variants of the edited products, with their option values."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from catalog.errors import OptionValueInUse
from catalog.models import ProductVariant
from catalog.products.product_details import checked_measure
from catalog.products.product_editing.codes import CODES, LABELS, Codes
from catalog.products.product_editing.edits import (
    MOST_VARIANTS,
    Fault,
    PartChange,
    ProductState,
    VariantState,
    change_of,
)
from kit.editing.children import Children, Links
from kit.errors import InvalidData
from kit.values import text
from kit.writes import raw_rows

NOUN = "product variant"
_LAST_RANK = 2**31 - 1


class VariantRows(Children[ProductVariant]):
    """Variants of products, by id."""

    model = ProductVariant
    parent = "product_id"
    key = ("id",)
    order = ("variant_rank", "pk")


class VariantEdits:
    """The variants as stored, then as wanted; `write` saves the difference.

    wanted: the row of each variant of a state, by product id, once `put` was called. changes: by product and variant.
    """

    def __init__(self, states: Sequence[ProductState], moment: datetime) -> None:
        self._rows = VariantRows([state.id for state in states])
        self._links = Links(ProductVariant, "options", [row.pk for row in self.all()])
        self._codes = Codes(states)
        self._moment = moment
        self._recoded: dict[str, list[str]] = {code: [] for code in CODES}
        self._deleted: list[str] = []
        self.wanted: dict[str, list[ProductVariant]] = {}
        self.changes: dict[str, dict[str, PartChange]] = {}

    def all(self) -> list[ProductVariant]:
        """The variants of all products, deleted ones of the edit among them."""
        return [row for rows in self._rows.rows.values() for row in rows.values()]

    def put(self, state: ProductState, values: Sequence[Mapping[str, str]], removed: Mapping[str, str]) -> list[Fault]:
        """Give the product its variants. values: for each option, the ids of its values by text.

        removed: the texts of values that their options no longer have, by id.

        Returns what is wrong with them, codes aside: see code_faults.
        """
        known = self._rows.of(state.id)
        keys = [one.id for one in state.variants if one.id is not None]
        for index, one in enumerate(state.variants):
            if one.id is not None and ((one.id,) not in known or one.id in state.deleted or keys.count(one.id) > 1):
                return [Fault(state.id, index, "title", "The variant was deleted meanwhile. Reload the page.")]
        self._delete(state)
        faults: list[Fault] = []
        rows = self.wanted.setdefault(state.id, [])
        for index, one in enumerate(state.variants):
            row, given = known[one.id,] if one.id is not None else None, _attributes(one)
            faults += _attribute_faults(state.id, index, one, given, row)
            rows.append(self._put_row(state.id, row, given))
        remaining = [row for row in self._rows.of(state.id).values() if row.deleted_at is None]
        if len(remaining) > MOST_VARIANTS and any(one.id is None for one in state.variants):
            message = f"A product can have at most {MOST_VARIANTS} variants; these are {len(remaining)}."
            faults.append(Fault(state.id, None, "options", message))
        return [*faults, *self._in_use(state, removed, remaining), *self._select(state, values, remaining)]

    def code_faults(self, state: ProductState) -> list[Fault]:
        """The codes of the product's variants that others have. Call it after `put` of all products."""
        return self._codes.faults(state, self.wanted.get(state.id, ()), self.all())

    def write(self) -> None:
        """Save the changes: first what frees codes, since two variants may exchange theirs."""
        raw_rows.update(ProductVariant, [{"id": key, "deleted_at": self._moment} for key in self._deleted])
        for code, keys in self._recoded.items():
            raw_rows.update(ProductVariant, [{"id": key, code: None} for key in keys])
        self._rows.write()
        self._links.write()

    def change(self, row: ProductVariant, values: Mapping[str, object]) -> None:
        """Change other columns of the variant."""
        self._rows.changes.change(row, values)

    def note(self, row: ProductVariant, fields: Iterable[str]) -> None:
        """Add to what the history says of the variant."""
        of_product = self.changes.setdefault(row.product_id, {})
        known = of_product.get(row.pk)
        action, before = (known.action, known.fields) if known else ("changed", ())
        of_product[row.pk] = PartChange(action, NOUN, row.title, [*before, *fields])

    def _delete(self, state: ProductState) -> None:
        for key in state.deleted:
            row = self._rows.of(state.id).get((key,))
            if row is not None and self._rows.changes.change(row, {"deleted_at": self._moment}):
                self._deleted.append(key)
                self.changes.setdefault(state.id, {})[key] = PartChange("deleted", NOUN, row.title)

    def _put_row(self, product_id: str, row: ProductVariant | None, given: Mapping[str, object]) -> ProductVariant:
        if row is None:
            of_product = self._rows.rows.setdefault(product_id, {})
            last = max((each.variant_rank for each in of_product.values()), default=-1)
            made = self._rows.changes.make(product_id=product_id, variant_rank=min(last + 1, _LAST_RANK), **given)
            of_product[made.pk,] = made
            self.changes.setdefault(product_id, {})[made.pk] = PartChange("added", NOUN, made.title)
            return made
        before = {name: getattr(row, name) for name in given}
        if self._rows.changes.change(row, given):
            changed = [name for name in given if before[name] != given[name]]
            for code in set(CODES).intersection(changed):
                self._recoded[code].append(row.pk)
            self.note(row, [_said(name, before[name], given[name]) for name in changed])
        return row

    def _in_use(
        self, state: ProductState, removed: Mapping[str, str], remaining: Sequence[ProductVariant]
    ) -> Iterable[Fault]:
        given = {one.id for one in state.variants if one.values is not None}
        for row in remaining if removed else ():
            for key in (key for (key,) in self._links.of(row.pk) if key in removed and row.pk not in given):
                yield Fault(state.id, None, "options", f"{OptionValueInUse(removed[str(key)], row.title).message}.")

    def _select(
        self, state: ProductState, values: Sequence[Mapping[str, str]], remaining: Sequence[ProductVariant]
    ) -> list[Fault]:
        """Give each variant one value of each option, the first where it has none. No two may have the same."""
        places = {row.pk: index for index, row in enumerate(self.wanted[state.id])}
        first: dict[frozenset[str], ProductVariant] = {}
        faults = []
        for row in remaining:
            index = places.get(row.pk)
            texts = state.variants[index].values if index is not None else None
            ids = self._value_ids(row, values) if texts is None else _ids_of(texts, values)
            if ids is None:
                message = f"'{' / '.join(texts or ())}' is not one value of each option."
                faults.append(Fault(state.id, index, "values", message))
                continue
            other = first.setdefault(frozenset(ids), row)
            if other is not row:
                message = f"The variants '{other.title}' and '{row.title}' would have the same option values."
                faults.append(Fault(state.id, index, "values", message))
            self._links.link(row.pk, ids)
        return faults

    def _value_ids(self, row: ProductVariant, values: Sequence[Mapping[str, str]]) -> list[str]:
        chosen = {key for (key,) in self._links.of(row.pk)}
        return [next((key for key in ids.values() if key in chosen), next(iter(ids.values()))) for ids in values]


def _ids_of(texts: Sequence[str], values: Sequence[Mapping[str, str]]) -> list[str] | None:
    if len(texts) != len(values) or any(text not in ids for text, ids in zip(texts, values, strict=True)):
        return None
    return [ids[text] for text, ids in zip(texts, values, strict=True)]


def _attributes(wanted: VariantState) -> dict[str, object]:
    """The columns to write. A new variant without a title, or one whose title is cleared, is named by its values."""
    given = {name: cell.value for name, cell in wanted.attributes.items()}
    if not given.get("title") and (wanted.id is None or "title" in given):
        given["title"] = " / ".join(wanted.values or ()) or ("Default" if wanted.id is None else "")
    return given


def _attribute_faults(
    product_id: str, index: int, wanted: VariantState, given: Mapping[str, object], row: ProductVariant | None
) -> Iterable[Fault]:
    for name, value in given.items():
        problem = None
        if isinstance(value, str):
            problem = text.fault(value, longest=text.LONGEST, may_be_blank=False)
        elif isinstance(value, float):
            try:
                checked_measure(value, field=name)
            except InvalidData:
                problem = "must be 0 or more"
        if problem:
            yield Fault(product_id, index, name, f"The {LABELS[name]} {problem}.")
        cell, stored = wanted.attributes.get(name), getattr(row, name, None)
        if row is not None and cell is not None and cell.conflicts_with(stored):
            yield Fault(product_id, index, name, "The value has changed.", is_conflict=True, current=stored)


def _said(name: str, before: object, after: object) -> str:
    """Free text is not repeated in the history."""
    return change_of(LABELS[name], before, after) if name == "weight" else LABELS[name]
