"""Adding pictures to a product."""

from collections.abc import Sequence

from django.db import transaction
from django.db.models import Max

from catalog.errors import ProductNotFound
from catalog.models import Product, ProductImage
from kit.database.locking import lock_rows
from kit.domain.actor import Actor
from kit.editing.reporting import Change, report
from pictures.finding import usable_address


@transaction.atomic
def add_pictures(*, actor: Actor, product_id: str, addresses: Sequence[str]) -> list[ProductImage]:
    """Add the pictures as the product's last images, in their order; those that it has already stay where they are.

    Returns the new images. Raises ProductNotFound, UnusablePicture, Forbidden.
    """
    actor.require("catalog.change_product")
    if not lock_rows(Product.objects.not_deleted().filter(pk=product_id)):
        raise ProductNotFound(product_id)
    images = ProductImage.objects.filter(product=product_id, deleted_at=None)
    present = set(images.values_list("url", flat=True))
    last = images.aggregate(last=Max("rank"))["last"]
    first = 0 if last is None else last + 1
    urls = [url for url in dict.fromkeys(map(usable_address, addresses)) if url not in present]
    rows = [ProductImage(product_id=product_id, url=url, rank=rank) for rank, url in enumerate(urls, first)]
    report(ProductImage, Change.CREATED, rows)
    return ProductImage.objects.bulk_create(rows)
