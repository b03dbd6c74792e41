"""What staff decide of the return of an exchange or a claim before the confirmation makes it."""

from typing import TypedDict, Unpack

from django.db import transaction

from kit.domain.actor import Actor
from orders.common.change_ids import with_prefix
from orders.exchanges.open_goods import lock_goods
from orders.fulfillments.location import check_location


class ComingReturnChanges(TypedDict, total=False):
    """What can be set; omitted fields stay. location_id: where its units are restocked."""

    location_id: str | None
    no_notification: bool | None


@transaction.atomic
def update(*, actor: Actor, return_id: str, **changes: Unpack[ComingReturnChanges]) -> None:
    """Set the given fields of the return that an open exchange or claim will make.

    Raises ChangeNotFound, ChangeEnded, OrderCanceled, UnknownLocation, Forbidden.
    """
    change = lock_goods(with_prefix(return_id, "ordch"), actor=actor)
    check_location(changes.get("location_id"))
    if changes:
        change.change(**changes)
