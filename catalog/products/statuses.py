"""Changing the status of products and price lists."""

from dataclasses import dataclass
from typing import TypeVar

from django.db import models, transaction

from catalog.errors import PriceListNotFound, ProductNotFound
from catalog.models import PriceList, Product
from catalog.states import PriceListStatus, ProductStatus
from kit.database.locking import lock_rows
from kit.domain.actor import Actor

Row = TypeVar("Row", Product, PriceList)


@dataclass(frozen=True, slots=True)
class StatusChange:
    """The statuses before and after; equal where the row already had the new one."""

    before: str
    after: str

    @property
    def message(self) -> str | None:
        """What the history says; None if nothing was changed."""
        return None if self.before == self.after else f"Status changed from {self.before} to {self.after}."


@transaction.atomic
def set_product_status(*, actor: Actor, product_id: str, status: ProductStatus) -> StatusChange:
    """Set the product's status. If it has that status already, updated_at stays too.

    Raises ProductNotFound, Forbidden.
    """
    actor.require("catalog.change_product")
    change = _change(Product.objects.not_deleted().filter(pk=product_id), status)
    if change is None:
        raise ProductNotFound(product_id)
    return change


@transaction.atomic
def set_price_list_status(*, actor: Actor, price_list_id: str, status: PriceListStatus) -> StatusChange:
    """Set the price list's status. If it has that status already, updated_at stays too. Its dates do not change.

    Raises PriceListNotFound, Forbidden.
    """
    actor.require("catalog.change_pricelist")
    change = _change(PriceList.objects.not_deleted().filter(pk=price_list_id), status)
    if change is None:
        raise PriceListNotFound(price_list_id)
    return change


def _change(rows: models.QuerySet[Row], status: str) -> StatusChange | None:
    row = next(iter(lock_rows(rows)), None)
    if row is None:
        return None
    before, row.status = row.status, status
    if before != status:
        row.save(update_fields=["status", "updated_at"])
    return StatusChange(before, status)
