"""Replacing what a draft has in one step: its details at once, the rest by a change of it, as `editing` does."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from django.db import transaction

from carts.details.faults import CartFaults, Faults
from carts.details.line_replacement import WantedLine
from carts.details.promotion_codes import codes_of
from carts.pricing.cart_rows import ShippingMethodRow
from carts.pricing.locked_cart import LockedCart
from carts.promotions.codes import code_key
from kit.domain.actor import Actor
from kit.values.money import major
from orders.changes.actions import insert_actions
from orders.drafts import items as draft_items
from orders.drafts import shipping as draft_methods
from orders.drafts.creation import require_prices
from orders.drafts.details import DraftDetails, change
from orders.drafts.items import DraftItem, DraftLineChange, LineTerms
from orders.drafts.lifecycle import begin, confirm_locked
from orders.drafts.locked_draft import MANAGING, lock_draft
from orders.drafts.methods import DraftMethod
from orders.drafts.open_change import lock_change
from orders.drafts.promotions import valid_codes
from orders.drafts.shipping import MethodChanges
from orders.states import ChangeAction


@transaction.atomic
def replace(
    *,
    actor: Actor,
    draft_id: str,
    details: DraftDetails,
    items: Sequence[WantedLine],
    promo_codes: Sequence[str],
    shipping_methods: Sequence[DraftMethod],
    faults: Faults | None = None,
) -> None:
    """Give the draft these details, and these lines, codes and shipping methods and no others.

    Lines and methods that it has are named by their ids. Prices of lines stay where none is given, amounts of methods
    where theirs is, which takes no permission. Details that are left out stay. faults: collects all that is wrong and
    is left out, for a preview; by default it is raised.
    Raises DraftNotFound, DraftConverted, ChangeOpen, TooManyLines, CartFaults, Forbidden.
    """
    actor.require(MANAGING)
    require_prices(actor, items, ())  # amounts of methods need it where they differ: `_of_methods`
    found = Faults() if faults is None else faults
    if details:
        try:
            change(actor=actor, draft_id=draft_id, **details)
        except CartFaults as error:
            found.found += error.faults
    cart = lock_draft(draft_id)
    steps = [
        *_of_lines(cart, items, actor, found),
        *_of_codes(cart, promo_codes, found),
        *_of_methods(cart, shipping_methods, actor, found),
    ]
    if steps:
        _change(actor, draft_id, steps, found)
    if faults is None:
        found.raise_any()


class _Step(NamedTuple):
    """An action to be. field: what refusals call it."""

    action: ChangeAction
    columns: dict[str, object]
    field: str = ""


def _change(actor: Actor, draft_id: str, steps: Sequence[_Step], found: Faults) -> None:
    begin(actor=actor, draft_id=draft_id)
    begun = lock_change(actor, draft_id)
    for action, own in groupby(steps, key=lambda step: step.action):
        insert_actions(begun, action, [step.columns for step in own])
        begun.reload()
    begun.names = {action.pk: step.field for action, step in zip(begun.actions, steps, strict=True)}
    confirm_locked(begun, actor, found)


def _of_lines(cart: LockedCart, items: Sequence[WantedLine], actor: Actor, found: Faults) -> Iterator[_Step]:
    own = {line.id: line for line in cart.lines}
    new = [each for each in items if each.line_id not in own]
    wanted = {str(each.line_id): each for each in items if each.line_id in own}
    for line in cart.lines:
        each = wanted.get(line.id, WantedLine(0))
        if each.quantity != line.quantity or each.unit_price is not None:
            with found.of(each.field):
                changed = DraftLineChange(line.id, each.quantity, _terms(each))
                columns = draft_items.columns_to_change(cart, actor, changed)
                yield _Step(ChangeAction.ITEM_UPDATE, columns, each.field)
    for each in new:
        with found.of(each.field):
            item = DraftItem(each.quantity, each.variant_id, each.title, _terms(each))
            yield _Step(ChangeAction.ITEM_ADD, draft_items.columns_to_add(cart, item), each.field)


def _terms(wanted: WantedLine) -> LineTerms:
    return {} if wanted.unit_price is None else {"unit_price": wanted.unit_price}


def _of_codes(cart: LockedCart, promo_codes: Sequence[str], found: Faults) -> Iterator[_Step]:
    own = {code_key(code): code for code in codes_of(cart)}
    wanted = {code_key(code): code for code in valid_codes(promo_codes, found)}
    for key, code in wanted.items():
        if key not in own:
            yield _Step(ChangeAction.PROMOTION_ADD, {"code": code})
    for key, code in own.items():
        if key not in wanted:
            yield _Step(ChangeAction.PROMOTION_REMOVE, {"code": code})


def _of_methods(cart: LockedCart, wanted: Sequence[DraftMethod], actor: Actor, found: Faults) -> Iterator[_Step]:
    own = {method.id: method for method in cart.methods}
    for each in wanted:
        method = own.pop(each.method_id or "", None)
        if method is not None and _is_same(each, method):
            continue
        with found.of(each.field):
            given: MethodChanges = {
                "shipping_option_id": each.shipping_option_id,
                "custom_amount": each.custom_amount,
            }
            if method is None:
                columns = draft_methods.columns_to_add(cart, actor, given)
                yield _Step(ChangeAction.SHIPPING_ADD, columns, each.field)
            else:
                columns = draft_methods.columns_to_change(cart, actor, method, given)
                yield _Step(ChangeAction.SHIPPING_UPDATE, columns, each.field)
    for method in own.values():
        yield _Step(ChangeAction.SHIPPING_REMOVE, draft_methods.columns_to_remove(method))


def _is_same(wanted: DraftMethod, method: ShippingMethodRow) -> bool:
    amount = major(method.amount) if method.is_custom_amount else None
    return (wanted.shipping_option_id, wanted.custom_amount) == (method.shipping_option_id, amount)
