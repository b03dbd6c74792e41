"""Promotions with campaigns that are new, too."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from carts.models import Promotion
from carts.promotions import campaign_editing, promotion_editing
from carts.states import RuleKind
from kit.domain.actor import Actor
from kit.editing.deletion import delete_rows
from kit.editing.parts import is_given, own_state
from kit.editing.states import Edited, Fault, RowsRefused
from kit.editing.verbs import RowVerbs


def _put(*, actor: Actor, states: Sequence[Any]) -> Sequence[Edited[Promotion]]:
    """Faults of a campaign name their place, `campaign.name`."""
    new = [index for index, state in enumerate(states) if is_given(state, "campaign")]
    wanted = [campaign_editing.VERBS.state(merges_metadata=True, **states[index].campaign) for index in new]
    try:
        written = campaign_editing.VERBS.put_inside(actor=actor, states=wanted) if wanted else ()
    except RowsRefused as refusal:
        faults = [Fault(new[one.index], f"campaign.{one.field}", one.error) for one in refusal.faults]
        raise RowsRefused(Promotion, faults) from None
    ids = {index: one.row.pk for index, one in zip(new, written, strict=True)}
    own = [
        own_state(promotion_editing.VERBS, state, **({"campaign_id": ids[index]} if index in ids else {}))
        for index, state in enumerate(states)
    ]
    return promotion_editing.VERBS.put_inside(actor=actor, states=own)


VERBS = RowVerbs(
    Promotion,
    (*promotion_editing.VERBS.columns, "campaign"),
    extras=("campaign", *RuleKind.values),
    put=_put,
    delete=partial(delete_rows, parts=promotion_editing.PARTS),
    restore=promotion_editing.restore,
)
"""campaign: a new one, as its verbs take it, in the place of campaign_id."""
