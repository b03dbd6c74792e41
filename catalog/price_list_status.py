"""Whether a price list has a say."""

from django.db import transaction

from catalog.errors import PriceListNotFound
from catalog.models import PriceList
from catalog.states import PriceListStatus
from commerce.core.actor import Actor
from commerce.core.locking import lock_rows


@transaction.atomic
def set_status(*, actor: Actor, price_list_id: str, status: PriceListStatus) -> PriceList:
    """Give the list that status; one that it has already leaves updated_at alone. Its dates stay as they are.

    Raises PriceListNotFound, Forbidden.
    """
    actor.demand("catalog.change_pricelist")
    rows = lock_rows(PriceList.objects.alive().filter(pk=price_list_id))
    if not rows:
        raise PriceListNotFound(price_list_id)
    price_list: PriceList = rows[0]
    if price_list.status != status:
        price_list.status = status
        price_list.save(update_fields=["status", "updated_at"])
    return price_list
