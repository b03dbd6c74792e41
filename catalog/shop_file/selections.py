"""Which value of each option the variants of a product have: one of each, and no two variants the same."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from catalog.shop_file.options import ValueIds
from commerce.kit.shop_file.problems import Problems
from commerce.kit.shop_file.values import Entry

Selection = Mapping[str, str]
"""The id of the value that a variant has of each option, by the option's title."""


@dataclass(frozen=True)
class Selected:
    """What a variant of the product selects. Problems are told at `path`, as sentences that begin with `subject`."""

    path: str
    subject: str
    selection: Selection


def requested_selection(variant: Entry, ids: ValueIds, problems: Problems) -> Selection:
    """What the variant's `options` select. Tells of options and values that the product lacks."""
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
    """What is left of a stored variant's selection among the values that the product has."""
    return {title: pk for title, by_value in ids.items() for pk in by_value.values() if pk in values}


def report_faults(variants: Sequence[Selected], ids: ValueIds, problems: Problems) -> None:
    """Tell of variants without a value of some option, and of those that select what another does, if only nothing."""
    taken: dict[frozenset[str], Selected] = {}
    for variant in variants:
        missing = [title for title in ids if title not in variant.selection]
        other = taken.setdefault(frozenset(variant.selection.values()), variant)
        if missing:
            problems.add(variant.path, f"{variant.subject}has no value of the option '{missing[0]}'")
        elif other is not variant:
            problems.add(variant.path, f"{variant.subject}has the option values of another variant, {other.path}")
