"""The options of products with their values, as staff maintain them."""

from collections.abc import Sequence
from typing import Any

from catalog.models import Product, ProductOption, ProductOptionValue
from catalog.products.product_editing.options import ValueRows
from catalog.products.product_options import add_missing_values, require_distinct_variants, require_removable, uses
from kit.domain.absent import ABSENT
from kit.domain.actor import Actor
from kit.editing.deletion import delete_rows
from kit.editing.locked_rows import lock_parents, locked_parents
from kit.editing.rows import RowEdits
from kit.editing.states import Edited
from kit.editing.verbs import RowVerbs
from kit.errors import InvalidData
from kit.values import text
from kit.values.timestamps import now


def _put(*, actor: Actor, states: Sequence[Any]) -> list[Edited[ProductOption]]:
    """Variants without a value of an option get its first. OptionValueInUse is among the faults."""
    lock_parents(Product, states, "product_id", of=ProductOption)
    edits = RowEdits(ProductOption, states, actor=actor)
    values = ValueRows([state.id for state in states if state.id is not None])
    removed: dict[str, int] = {}
    for index, (state, row) in enumerate(zip(states, edits.rows, strict=True)):
        given = state.values if state.values is not ABSENT else [str(key) for (key,) in values.of(row.pk)]
        for problem in _problems(given):
            edits.refuse(index, "values", InvalidData(problem))
        gone = [one for one in values.of(row.pk).values() if one.value not in given]
        removed |= dict.fromkeys([one.pk for one in gone], index)
        for one in gone:
            values.changes.change(one, {"deleted_at": now()})
        added = [values.put(row.pk, (value,), {}) for value in given]
        if gone or any(added):
            edits.note_change(index)
    _refuse_used(edits, removed)
    edited = edits.write()
    values.write()
    add_missing_values({one.row.product_id for one in edited})
    return edited


def _delete(model: type[ProductOption], ids: Sequence[str], *, actor: Actor) -> None:
    """Soft-delete options with their values; the variants lose theirs.

    Raises NotFound, DuplicateVariants (two variants differ in these options alone), Forbidden.
    """
    products = locked_parents(Product, ids, "product", of=model, actor=actor)
    delete_rows(model, ids, actor=actor, parts=[(ProductOptionValue, "option")])
    require_distinct_variants([product.pk for product in products])


def _delete_values(model: type[ProductOptionValue], ids: Sequence[str], *, actor: Actor) -> None:
    """Raises NotFound, OptionValueInUse, NotAllowed (an option keeps one value), Forbidden."""
    locked_parents(Product, ids, "option__product", of=model, actor=actor)
    delete_rows(model, ids, actor=actor, check=require_removable)


VALUES = RowVerbs(ProductOptionValue, ("value", "metadata"), delete=_delete_values)
VERBS = RowVerbs(
    ProductOption, ("product_id", "title", "values", "metadata"), extras=("values",), put=_put, delete=_delete
)
"""values: their texts in order, which replace the stored ones."""


def _problems(values: Sequence[str]) -> list[str]:
    problems = [] if values else ["An option needs a value"]
    for value in values:
        said = text.fault(value, longest=text.LONGEST, may_be_blank=False)
        problems += [f"The value '{value}' {said}"] if said else []
    return problems + sorted({f"'{value}' is repeated" for value in values if values.count(value) > 1})


def _refuse_used(edits: RowEdits[ProductOption], removed: dict[str, int]) -> None:
    """removed: the place in the batch of each value that is removed, by id."""
    for key, refusal in (uses(removed) if removed else {}).items():
        edits.refuse(removed[key], "values", refusal)
