"""The options of products in the shop file, and which value of each a variant has."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from catalog.models import ProductOption
from catalog.products.product_editing.options import ValueRows
from kit.editing.children import Children
from kit.shop_file.problems import Problems
from kit.shop_file.values import Entry, Text, Texts, Value
from kit.values.json import JSON
from kit.values.text import LONGEST


class Words(Texts):
    """The values of an option."""

    def element(self) -> Text:
        return Text(longest=LONGEST, may_be_blank=False)


OPTION: Mapping[str, Value] = {
    "title": Text(required=True, longest=LONGEST, may_be_blank=False),
    "values": Words(required=True),
}
"""The fields of an option."""

ValueIds = Mapping[str, Mapping[str, str]]
"""The ids of a product's option values, by the title of their option and the value."""


class OptionRows(Children[ProductOption]):
    """Options of products, by title."""

    model = ProductOption
    parent = "product_id"
    key = ("title",)


class Options:
    """The options of a batch of products: first as stored, then with the file's changes."""

    def __init__(self, products: Collection[str]) -> None:
        """`products`: ids of those that are stored."""
        self._options = OptionRows(products)
        self._values = ValueRows([row.pk for rows in self._options.rows.values() for row in rows.values()])

    def ids(self, product: str) -> ValueIds:
        """The ids of the product's option values."""
        options = self._options.of(product).values()
        return {one.title: {row.value: row.pk for row in self._values.of(one.pk).values()} for one in options}

    def put(self, product: str, options: Sequence[Entry]) -> bool:
        """Replace the product's options and their values. Returns whether anything changes."""
        changes = self._options.replace(product, {(option.given["title"],): {} for option in options})
        for option in options:
            row = self._options.of(product)[option.given["title"],]
            changes |= self._values.replace(row.pk, {(value,): {} for value in option.given["values"]})
        return changes

    def write(self) -> None:
        """Write the changes."""
        self._options.write()
        self._values.write()


def report_repeated_options(options: Iterable[Entry], problems: Problems) -> None:
    """Report options and values that are repeated in a product's list."""
    titles: set[str] = set()
    for option in options:
        title, values = option.given["title"], option.given["values"]
        if title in titles:
            problems.add(f"{option.path}.title", f"'{title}' is repeated")
        titles.add(title)
        for index, value in enumerate(values):
            if value in values[:index]:
                problems.add(f"{option.path}.values[{index}]", f"'{value}' is repeated")


def dumped_options(ids: ValueIds) -> list[JSON]:
    """The options as objects of the file."""
    return [{"title": title, "values": [*values]} for title, values in ids.items()]
