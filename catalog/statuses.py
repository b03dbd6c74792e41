"""Whether the store shows a product, and whether a price list has a say."""

from typing import TypeVar

from django.db import models, transaction

from catalog.errors import PriceListNotFound, ProductNotFound
from catalog.models import PriceList, Product
from catalog.states import PriceListStatus, ProductStatus
from commerce.kit.core.actor import Actor
from commerce.kit.core.locking import lock_rows

Row = TypeVar("Row", Product, PriceList)


@transaction.atomic
def set_product_status(*, actor: Actor, product_id: str, status: ProductStatus) -> Product:
    """Give the product that status, whatever it was; one that it has already leaves updated_at alone.

    Raises ProductNotFound, Forbidden.
    """
    actor.require("catalog.change_product")
    product: Product | None = _with_status(Product.objects.not_deleted().filter(pk=product_id), status)
    if product is None:
        raise ProductNotFound(product_id)
    return product


@transaction.atomic
def set_price_list_status(*, actor: Actor, price_list_id: str, status: PriceListStatus) -> PriceList:
    """Give the list that status; one that it has already leaves updated_at alone. Its dates stay as they are.

    Raises PriceListNotFound, Forbidden.
    """
    actor.require("catalog.change_pricelist")
    price_list: PriceList | None = _with_status(PriceList.objects.not_deleted().filter(pk=price_list_id), status)
    if price_list is None:
        raise PriceListNotFound(price_list_id)
    return price_list


def _with_status(rows: models.QuerySet[Row], status: str) -> Row | None:
    row = next(iter(lock_rows(rows)), None)
    if row is not None and row.status != status:
        row.status = status
        row.save(update_fields=["status", "updated_at"])
    return row
