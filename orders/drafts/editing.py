"""Changing a draft in one step: a change is begun, acted on and confirmed."""

from collections.abc import Collection, Sequence
from typing import TypedDict, Unpack

from django.db import transaction

from carts.details.faults import Faults
from kit.domain.actor import Actor
from orders.changes.lifecycle import ChangeTexts
from orders.drafts import items, promotions, shipping
from orders.drafts.items import DraftItem, DraftLineChange
from orders.drafts.lifecycle import begin, confirm_locked
from orders.drafts.open_change import DraftChange, lock_change
from orders.drafts.shipping import MethodChange, MethodChanges
from orders.states import ChangeAction


class DraftParts(TypedDict, total=False):
    """What is added to, changed of, and removed from a draft. shipping_methods: new ones; promo_codes likewise."""

    added_items: Sequence[DraftItem]
    changed_items: Sequence[DraftLineChange]
    promo_codes: Sequence[str]
    removed_promo_codes: Collection[str]
    shipping_methods: Sequence[MethodChanges]
    changed_shipping_methods: Sequence[MethodChange]
    removed_shipping_methods: Sequence[str]


class DraftEdit(ChangeTexts, DraftParts, total=False):
    """A draft's parts to change, with the texts of the change."""


@transaction.atomic
def edit(*, actor: Actor, draft_id: str, **given: Unpack[DraftEdit]) -> None:
    """Change the draft at once; a change that is open is not touched, and refuses this one.

    The number of statements does not depend on those of lines and methods.
    Raises DraftNotFound, DraftConverted, ChangeOpen, NoActions, TooManyLines, InvalidData (description, internal_note,
    metadata), CartFaults with all that is wrong, Forbidden.
    """
    texts: ChangeTexts = {}
    for name in ("description", "internal_note", "metadata"):
        if name in given:
            texts[name] = given[name]
    begin(actor=actor, draft_id=draft_id, **texts)
    change, faults = lock_change(actor, draft_id), Faults()
    _act(change, actor, given, faults)
    faults.raise_any()
    _name_actions(change)
    confirm_locked(change, actor, faults)
    faults.raise_any()


def _act(change: DraftChange, actor: Actor, given: DraftEdit, faults: Faults) -> None:
    """Record the actions, and read them again after each step, so that they stay in order."""
    if changed := given.get("changed_items"):
        items.change_lines_locked(change, actor, changed, faults, field="changed_items")
        change.reload()
    if added := given.get("added_items"):
        items.add_locked(change, actor, added, faults, field="added_items")
        change.reload()
    if gone := given.get("removed_promo_codes"):
        promotions.remove_locked(change, [*gone])
        change.reload()
    if codes := given.get("promo_codes"):
        promotions.add_locked(change, codes, faults)
        change.reload()
    if altered := given.get("changed_shipping_methods"):
        shipping.change_methods_locked(change, actor, altered, faults, field="changed_shipping_methods")
        change.reload()
    if removed := given.get("removed_shipping_methods"):
        shipping.remove_methods_locked(change, removed, faults, field="removed_shipping_methods")
        change.reload()
    if methods := given.get("shipping_methods"):
        shipping.add_locked(change, actor, methods, faults, field="shipping_methods")
        change.reload()


_FIELDS = {
    ChangeAction.ITEM_ADD: "added_items",
    ChangeAction.ITEM_UPDATE: "changed_items",
    ChangeAction.SHIPPING_ADD: "shipping_methods",
    ChangeAction.SHIPPING_UPDATE: "changed_shipping_methods",
}


def _name_actions(change: DraftChange) -> None:
    """Refusals call the actions by their places in what was sent: of each there is one, in the same order."""
    for kind, field in _FIELDS.items():
        for place, action in enumerate(change.of(kind)):
            change.names[action.pk] = f"{field}[{place}]"
