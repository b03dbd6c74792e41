"""Whether the store shows a product."""

from django.db import transaction

from catalog.errors import ProductNotFound
from catalog.models import Product
from catalog.states import ProductStatus
from commerce.core.actor import Actor
from commerce.core.locking import lock_rows


@transaction.atomic
def set_status(*, actor: Actor, product_id: str, status: ProductStatus) -> Product:
    """Give the product that status, whatever it was; one that it has already leaves updated_at alone.

    Raises ProductNotFound, Forbidden.
    """
    actor.demand("catalog.change_product")
    rows = lock_rows(Product.objects.alive().filter(pk=product_id))
    if not rows:
        raise ProductNotFound(product_id)
    product: Product = rows[0]
    if product.status != status:
        product.status = status
        product.save(update_fields=["status", "updated_at"])
    return product
