"""The option values of a product's variants: one value of each option, and no two variants with the same values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from catalog.shop_file.options import ValueIds
from kit.shop_file.problems import Problems
from kit.shop_file.values import Entry

Selection = Mapping[str, str]
"""The ids of a variant's option values, by the option's title."""


@dataclass(frozen=True)
class Selected:
    """The selection of a variant. Problems are reported at `path`, in sentences that begin with `subject`."""

    path: str
    subject: str
    selection: Selection


def requested_selection(variant: Entry, ids: ValueIds, problems: Problems) -> Selection:
    """The selection in the variant's `options`. Reports options and values that the product lacks."""
    selection: dict[str, str] = {}
    for title, value in variant.given["options"].items():
        path = f"{variant.path}.options.{title}"
        if title not in ids:
            problems.add(path, f"the product has no option '{title}'")
        elif value not in ids[title]:
            problems.add(path, f"the product's option '{title}' has no value '{value}'")
        else:
            selection[title] = ids[title][value]
    return selection


def remaining_selection(values: frozenset[str], ids: ValueIds) -> Selection:
    """A stored variant's selection, without values that the product no longer has."""
    return {title: pk for title, by_value in ids.items() for pk in by_value.values() if pk in values}


def report_faults(variants: Sequence[Selected], ids: ValueIds, problems: Problems) -> None:
    """Report variants that lack a value of an option, and variants with the same values as another, or both none."""
    taken: dict[frozenset[str], Selected] = {}
    for variant in variants:
        missing = [title for title in ids if title not in variant.selection]
        other = taken.setdefault(frozenset(variant.selection.values()), variant)
        if missing:
            problems.add(variant.path, f"{variant.subject}has no value for the option '{missing[0]}'")
        elif other is not variant:
            problems.add(variant.path, f"{variant.subject}has the same option values as {other.path}")
