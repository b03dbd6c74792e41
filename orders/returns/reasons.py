"""The reasons of a return's items."""

from collections.abc import Iterable

from kit.values.text import is_storable
from orders.models import ReturnReason
from orders.returns.errors import ReasonHasNested, UnknownReturnReason


def check_reasons(reason_ids: Iterable[str | None]) -> None:
    """Raise UnknownReturnReason for an unknown reason, ReasonHasNested for one with child reasons. Two statements."""
    named = sorted({reason_id for reason_id in reason_ids if reason_id is not None})
    if not named:
        return
    reasons = ReturnReason.objects.not_deleted()
    storable = [reason_id for reason_id in named if is_storable(reason_id)]
    known = set(reasons.filter(pk__in=storable).values_list("pk", flat=True))
    if unknown := [reason_id for reason_id in named if reason_id not in known]:
        raise UnknownReturnReason(unknown[0])
    parents = reasons.filter(parent_return_reason__in=named).order_by("parent_return_reason")
    if nested := parents.values_list("parent_return_reason__label", flat=True).first():
        raise ReasonHasNested(nested)
