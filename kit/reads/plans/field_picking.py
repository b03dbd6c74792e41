"""Pick the selected fields out of a computed object: no statement, whatever the depth."""

from collections.abc import Callable
from typing import Any

from kit.query.selection import Constant, Selection
from kit.reads.declarations.computed import BatchRelation, Embedded
from kit.reads.plans.rows import display, in_order


def picker(relation: BatchRelation | Embedded, selection: Selection) -> Callable[[Any], object]:
    """A function from what stands under the relation (a mapping or None, or a list of mappings) to the answer's part.

    Compiled from source like rows.row_builder.
    """
    fields = relation.to()._declared_fields
    named = dict(selection.names)
    sources: dict[str, str] = {}
    within: dict[str, object] = {}
    for key in selection.scalars:
        name = named.get(key, key)
        sources[key] = repr(name.value) if isinstance(name, Constant) else f"m[{name!r}]"
    for key, below in selection.relations:
        name = named.get(key, key)
        embedded = fields[str(name)]
        if not isinstance(embedded, Embedded):
            raise TypeError(f"{name} of {relation.to().__name__} stands in a computed object: declare it Embedded")
        pick = f"pick{len(within)}"
        within[pick] = picker(embedded, below)
        sources[key] = f"{pick}(m[{name!r}])"
    one = display(in_order(selection, sources))
    source = f"lambda many: [{one} for m in many]" if relation.many else f"lambda m: None if m is None else {one}"
    return eval(source, within)  # type: ignore[no-any-return]  # noqa: S307 - our own source
