"""The promotion codes of a draft in its open change. Their uses count once the draft is converted."""

from collections.abc import Sequence

from django.db import transaction

from carts.details.faults import Faults
from carts.details.promotion_codes import codes_of
from carts.errors import PromotionCodeInvalid
from carts.promotions.codes import code_key
from kit.domain.actor import Actor
from kit.values.text import is_storable
from orders.changes.actions import delete_action, insert_actions
from orders.drafts.effects import check
from orders.drafts.open_change import DraftChange, lock_change
from orders.states import ChangeAction

_LONGEST_CODE = 255


@transaction.atomic
def add(*, actor: Actor, draft_id: str, promo_codes: Sequence[str]) -> None:
    """Add codes; those that the draft has already are ignored.

    Raises DraftNotFound, DraftConverted, NoOpenChange, TooManyLines, CartFaults with all codes that are invalid,
    Forbidden.
    """
    change, faults = lock_change(actor, draft_id), Faults()
    add_locked(change, promo_codes, faults)
    faults.raise_any()
    check(change, actor)


def add_locked(change: DraftChange, promo_codes: Sequence[str], faults: Faults) -> None:
    """The same for a change that is locked, and is checked by the caller. Raises TooManyLines."""
    valid = valid_codes(promo_codes, faults)
    removals = {code_key(str(each.code)): each for each in change.of(ChangeAction.PROMOTION_REMOVE)}
    known = {code_key(code) for code in codes_of(change.cart)}
    known |= {code_key(str(each.code)) for each in change.of(ChangeAction.PROMOTION_ADD)}
    wanted = {code_key(code): code for code in valid}
    for key in wanted.keys() & removals.keys():
        delete_action(removals[key])
    new = [{"code": code} for key, code in wanted.items() if key not in known]
    if new:
        insert_actions(change, ChangeAction.PROMOTION_ADD, new)


@transaction.atomic
def remove(*, actor: Actor, draft_id: str, promo_codes: Sequence[str]) -> None:
    """Remove codes; those that the draft does not have are ignored.

    Raises DraftNotFound, DraftConverted, NoOpenChange, TooManyLines, Forbidden.
    """
    remove_locked(lock_change(actor, draft_id), promo_codes)


def remove_locked(change: DraftChange, promo_codes: Sequence[str]) -> None:
    """The same for a change that is locked. Raises TooManyLines."""
    wanted = {code_key(code) for code in promo_codes}
    for action in change.of(ChangeAction.PROMOTION_ADD):
        if code_key(str(action.code)) in wanted:
            delete_action(action)
    gone = {code_key(str(action.code)) for action in change.of(ChangeAction.PROMOTION_REMOVE)}
    own = [{"code": code} for code in codes_of(change.cart) if code_key(code) in wanted - gone]
    if own:
        insert_actions(change, ChangeAction.PROMOTION_REMOVE, own)


def valid_codes(promo_codes: Sequence[str], faults: Faults) -> list[str]:
    """Those that can be stored. The others become faults."""
    valid = []
    for place, code in enumerate(promo_codes):
        if is_storable(code) and len(code) <= _LONGEST_CODE:
            valid.append(code)
        else:
            faults.add(f"promo_codes[{place}]", PromotionCodeInvalid(code))
    return valid
