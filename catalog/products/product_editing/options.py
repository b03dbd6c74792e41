"""The options of the edited products."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from catalog.models import ProductOption, ProductOptionValue
from catalog.products.product_editing.edits import MOST_OPTIONS, Fault, OptionState, PartChange, ProductState
from kit.editing.children import Children
from kit.values import text
from kit.writes import raw_rows


class OptionRows(Children[ProductOption]):
    """Options of products, by id."""

    model = ProductOption
    parent = "product_id"
    key = ("id",)


class ValueRows(Children[ProductOptionValue]):
    """Values of options, by text."""

    model = ProductOptionValue
    parent = "option_id"
    key = ("value",)


class OptionEdits:
    """The options as stored, then as wanted; `write` saves the difference.

    removed: the texts of the values that remaining options lose, by id. changes: by product.
    """

    def __init__(self, products: Collection[str], moment: datetime) -> None:
        self._options = OptionRows(products)
        self._values = ValueRows([row.pk for rows in self._options.rows.values() for row in rows.values()])
        self._moment = moment
        self._retitled: list[str] = []
        self.removed: dict[str, str] = {}
        self.changes: dict[str, list[PartChange]] = {}

    def states(self, product_id: str) -> list[OptionState]:
        """The stored options, oldest first."""
        rows = self._options.of(product_id).values()
        return [OptionState(row.title, [*self._texts(row)], row.pk) for row in rows if row.deleted_at is None]

    def put(self, state: ProductState) -> list[Fault]:
        """Give the product its options, if the state has any. Returns what is wrong with them."""
        if state.options is None:
            return []
        stored = self.states(state.id)
        faults = [*_faults(state, stored)]
        if faults:
            return faults
        if state.read_options is not None and stored not in ([*state.read_options], [*state.options]):
            shown = "; ".join(f"{one.title}: {', '.join(one.values)}" for one in stored) or "none"
            return [Fault(state.id, None, "options", "The options have changed.", is_conflict=True, current=shown)]
        kept = {one.id for one in state.options}
        for option in stored:
            if option.id not in kept:
                self._remove(state.id, option)
        for option in state.options:
            self._put_option(state.id, option, stored)
        return []

    def ids(self, state: ProductState) -> list[Mapping[str, str]]:
        """For each option that has values, in the order of the state, their ids by text."""
        rows = [row for row in self._options.of(state.id).values() if row.deleted_at is None]
        if state.options is not None:
            places = {one.title: place for place, one in enumerate(state.options)}
            rows.sort(key=lambda row: places[row.title])
        return [texts for texts in map(self._texts, rows) if texts]

    def write(self) -> None:
        """Save the changes. Titles are cleared first, since two options may exchange theirs."""
        raw_rows.update(ProductOption, [{"id": key, "title": key} for key in self._retitled])
        self._options.write()
        self._values.write()

    def _texts(self, option: ProductOption) -> dict[str, str]:
        return {row.value: row.pk for row in self._values.of(option.pk).values() if row.deleted_at is None}

    def _remove(self, product_id: str, option: OptionState) -> None:
        row = self._options.of(product_id)[option.id,]
        for one in (row, *self._values.of(row.pk).values()):
            changes = self._options.changes if one is row else self._values.changes
            changes.change(one, {"deleted_at": self._moment})  # type: ignore[arg-type]
        self._note(product_id, "deleted", option.title)

    def _put_option(self, product_id: str, option: OptionState, stored: Sequence[OptionState]) -> None:
        before = next((one for one in stored if one.id == option.id and option.id is not None), None)
        if before is None:
            row = self._options.changes.make(product_id=product_id, title=option.title)
            self._options.rows.setdefault(product_id, {})[row.pk,] = row
            self._note(product_id, "added", option.title)
        else:
            row = self._options.of(product_id)[before.id,]
            if self._options.changes.change(row, {"title": option.title}):
                self._retitled.append(row.pk)
            if before != option:
                changed = [f"Values ({', '.join(before.values)} → {', '.join(option.values)})"]
                names = ["Title"] if before.title != option.title else []
                self._note(product_id, "changed", option.title, names + changed * (before.values != option.values))
        values = self._values.of(row.pk)
        for (value,), one in values.items():
            if value not in option.values:
                self._values.changes.change(one, {"deleted_at": self._moment})
                self.removed[one.pk] = str(value)
        for value in option.values:
            self._values.put(row.pk, (value,), {})

    def _note(self, product_id: str, action: str, name: str, fields: Sequence[str] = ()) -> None:
        self.changes.setdefault(product_id, []).append(PartChange(action, "product option", name, fields))  # type: ignore[arg-type]


def _faults(state: ProductState, stored: Sequence[OptionState]) -> list[Fault]:
    options = state.options or ()
    messages = []
    if len(options) > MOST_OPTIONS:
        messages.append(f"A product can have at most {MOST_OPTIONS} options.")
    if {one.id for one in options if one.id} - {one.id for one in stored}:
        messages.append("An option has been deleted by now. Reload the page.")
    titles = [one.title for one in options]
    for option in options:
        messages += [f"The option's title {_said(title)}." for title in [option.title] if _said(title)]
        messages += [f"A value of '{option.title}' {_said(value)}." for value in option.values if _said(value)]
        if titles.count(option.title) > 1:
            messages.append(f"The option '{option.title}' is repeated.")
        repeated = [value for value in option.values if option.values.count(value) > 1]
        if repeated:
            messages.append(f"'{repeated[0]}' is repeated in '{option.title}'.")
        if not option.values:
            messages.append(f"The option '{option.title}' needs a value.")
    return [Fault(state.id, None, "options", message) for message in dict.fromkeys(messages)]


def _said(given: str) -> str | None:
    return text.fault(given, longest=text.LONGEST, may_be_blank=False)
