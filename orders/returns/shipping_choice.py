"""Choosing the shipping of an open return. Why: docs/decisions/returns.md#a-return-has-one-shipping-method."""

from decimal import Decimal
from typing import TypedDict, Unpack

from django.db import transaction
from django.db.models import QuerySet

from kit.domain.actor import Actor
from kit.values import metadata as metadata_rules
from kit.values.metadata import Metadata
from orders.common.open_changes import part_id
from orders.models import OrderShippingMethod
from orders.returns.errors import ReturnMethodNotFound
from orders.returns.locked_return import LockedReturn, lock_return
from orders.returns.notes import checked_note
from orders.returns.shipping import ReturnShipping, add_method


class ShippingChanges(TypedDict, total=False):
    """What can change; omitted fields stay. custom_amount: None for the option's price."""

    custom_amount: Decimal | None
    metadata: Metadata | None


@transaction.atomic
def choose(*, actor: Actor, return_id: str, shipping: ReturnShipping, internal_note: str | None = None) -> None:
    """Choose the shipping of an open return, instead of what was chosen before.

    internal_note: replaces the return's internal note.
    Raises ReturnNotFound, NotOpen, the errors of `shipping.add_method`, InvalidData (internal_note), Forbidden.
    """
    opened = _opened(actor, return_id, internal_note)
    _methods(opened).delete()
    add_method(opened.order, return_id, shipping, actor=actor, is_requested=False)


@transaction.atomic
def change(
    *,
    actor: Actor,
    return_id: str,
    method_id: str,
    internal_note: str | None = None,
    **changes: Unpack[ShippingChanges],
) -> None:
    """Change the shipping of an open return; with a custom_amount it is priced again. Metadata is merged.

    Raises ReturnMethodNotFound, and the errors of `choose`.
    """
    opened = _opened(actor, return_id, internal_note)
    method = _method(opened, method_id)
    if "metadata" in changes:
        method.metadata = metadata_rules.merged(method.metadata, metadata_rules.checked(changes["metadata"]))
    if "custom_amount" not in changes:
        method.save(update_fields=["metadata", "updated_at"])
        return
    option_id, amount, own_id = str(method.shipping_option_id), changes["custom_amount"], method.pk
    wanted = ReturnShipping(option_id, amount, method.description, method.metadata)
    method.delete()
    add_method(opened.order, return_id, wanted, actor=actor, is_requested=False, method_id=own_id)


@transaction.atomic
def remove(*, actor: Actor, return_id: str, method_id: str) -> None:
    """Remove the shipping of an open return. Raises ReturnNotFound, NotOpen, ReturnMethodNotFound, Forbidden."""
    _method(_opened(actor, return_id, None), method_id).delete()


def _opened(actor: Actor, return_id: str, internal_note: str | None) -> LockedReturn:
    actor.require("orders.change_return")
    note = checked_note(internal_note, field="internal_note")
    opened = lock_return(return_id)
    opened.require_open()
    if note is not None:
        opened.change(internal_note=note)
    return opened


def _methods(opened: LockedReturn) -> QuerySet[OrderShippingMethod]:
    methods: QuerySet[OrderShippingMethod] = OrderShippingMethod.objects.filter(of_return=opened.row)
    return methods


def _method(opened: LockedReturn, method_id: str) -> OrderShippingMethod:
    own_id = part_id(method_id, "ordsm")
    found = next((method for method in _methods(opened) if method.pk == own_id), None)
    if found is None:
        raise ReturnMethodNotFound(method_id)
    return found
