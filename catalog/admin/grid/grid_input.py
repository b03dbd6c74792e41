"""Reading what the grid submits: the changes to a product's options and variants, as one JSON text."""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from catalog.products.product_editing.edits import UNREAD, Cell, Fault, OptionState, ProductState, VariantState
from kit.values import bounded_json, typed_amounts
from kit.values.text import is_storable
from kit.values.typed_amounts import ANY, WHOLE, Scale, scale_of, without_sign

_SHOWN = re.compile(r"[0-9]+(\.[0-9]+)?(e[+-][0-9]{1,2})?")
_ATTRIBUTES = frozenset({"title", "sku", "barcode"})


class Unreadable(Exception):
    """The text is not what the page's own script submits."""


@dataclass(frozen=True, slots=True)
class GridInput:
    """What was submitted.

    faults: cells whose text cannot be read. confirmed: the variants whose deletion the page has asked about before.
    """

    state: ProductState
    faults: Sequence[Fault]
    confirmed: frozenset[str]


def read(text: str) -> GridInput:
    """Parse the submitted text. The state has no product id yet: a new product has none. Raises Unreadable."""
    try:
        given = bounded_json.parse(text)
        return _Reader().read(given)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise Unreadable from error


class _Reader:
    def __init__(self) -> None:
        self._faults: list[Fault] = []

    def read(self, given: Mapping[str, Any]) -> GridInput:
        variants = [self._variant(index, one) for index, one in enumerate(_list(given["variants"]))]
        state = ProductState(
            "",
            options=_options(given.get("options")),
            read_options=_options(given.get("read_options")),
            variants=variants,
            deleted=[_key(one) for one in _list(given["deleted"])],
        )
        confirmed = given.get("confirmed")
        asked = confirmed if isinstance(confirmed, list) else []
        return GridInput(state, self._faults, frozenset(_key(one) for one in asked))

    def _variant(self, index: int, given: Mapping[str, Any]) -> VariantState:
        attributes: dict[str, Cell] = {}
        prices: dict[str, Cell] = {}
        stock: dict[str, int] = {}
        for column, pair in dict(given["cells"]).items():
            read, entered = (_text(one).strip() for one in _list(pair))
            kind, _, key = _key(column).partition(".")
            try:
                if kind in _ATTRIBUTES:
                    attributes[kind] = Cell(entered or None, read or None)
                elif kind == "weight":
                    attributes[kind] = _number(entered, read, ANY, float)
                elif kind == "prices":
                    prices[key] = _number(without_sign(entered, key), read, scale_of(key), Decimal)
                elif kind == "stock":
                    before = _whole(read) if read else 0
                    stock[key] = _new_stock(entered, before) - before
                else:
                    raise Unreadable
            except _Wrong as wrong:
                self._faults.append(Fault("", index, column, str(wrong)))
        if given["id"] is None:
            attributes = {name: Cell(cell.value, UNREAD) for name, cell in attributes.items()}
        values = [_text(one) for one in _list(given["values"])] if given.get("values") is not None else None
        return VariantState(
            None if given["id"] is None else _key(given["id"]),
            values,
            attributes=attributes,
            prices=prices,
            stock=stock,
        )


class _Wrong(Exception):
    """What is wrong with the text of a cell."""


def _number(entered: str, shown: str, scale: Scale, kind: type[Decimal] | type[float]) -> Cell:
    """A cell with a number as people type it. What the page has shown has one meaning."""
    if shown and not _SHOWN.fullmatch(shown):
        raise Unreadable
    before = kind(shown) if shown else None
    if entered == shown or not entered:
        return Cell(before if entered else None, before)
    try:
        number = typed_amounts.read(entered, scale)
    except typed_amounts.NotRead as reason:
        raise _Wrong(str(reason)) from reason
    if number < 0:
        raise _Wrong("Enter 0 or more.")
    if number > scale.most:
        raise _Wrong(f"Enter at most {scale.most}.")
    return Cell(kind(number), before)


def _whole(text: str) -> int:
    with suppress(typed_amounts.NotRead):
        number = typed_amounts.read(text, WHOLE)
        if WHOLE.holds(number):
            return int(number)
    raise _Wrong("Enter a whole number, 0 for none.")


def _new_stock(entered: str, before: int) -> int:
    """Stock may be below 0 by what was sold on backorder, but nobody enters less than 0 except by leaving it."""
    count = _whole(entered)
    if count < min(0, before):
        raise _Wrong("Enter 0 or more.")
    return count


def _options(given: object) -> list[OptionState] | None:
    if given is None:
        return None
    return [
        OptionState(
            _text(one["title"]).strip(),
            [_text(value).strip() for value in _list(one["values"])],
            None if one["id"] is None else _key(one["id"]),
        )
        for one in _list(given)
    ]


def _list(given: object) -> list[Any]:
    if not isinstance(given, list):
        raise Unreadable
    return given


def _text(given: object) -> str:
    if not isinstance(given, str):
        raise Unreadable
    return given


def _key(given: object) -> str:
    if not isinstance(given, str) or not is_storable(given):
        raise Unreadable
    return given
