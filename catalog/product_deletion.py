"""Deleting and restoring products and variants, with their parts.

Options, option values, variants and images are deleted with their product; its handle and their codes become free.
Prices and stock stay: they are found only through variants that are not deleted.
"""

from django.db import models, transaction

from catalog import product_options
from catalog.errors import ProductDeleted, ProductNotFound, VariantNotFound
from catalog.models import Product, ProductImage, ProductOption, ProductOptionValue, ProductVariant
from commerce.kit.core import soft_deletion
from commerce.kit.core.actor import Actor
from commerce.kit.core.base_model import BaseModel
from commerce.kit.core.locking import lock_rows


@transaction.atomic
def delete(*, actor: Actor, product_id: str) -> Product:
    """Soft-delete a product with all its parts.

    Raises ProductNotFound (also for one that is deleted), Forbidden.
    """
    actor.require("catalog.delete_product")
    product = _locked(product_id)
    if product.deleted_at is not None:
        raise ProductNotFound(product_id)
    soft_deletion.delete(product, *_parts(product))
    return product


@transaction.atomic
def restore(*, actor: Actor, product_id: str) -> Product:
    """Undo a deletion. Parts that were deleted before their product stay deleted.

    Raises ProductNotFound, NotDeleted, ValueTaken (the handle or a variant's code is taken by now), Forbidden.
    """
    actor.require("catalog.delete_product")
    product = _locked(product_id)
    soft_deletion.restore(product, *_parts(product))
    return product


@transaction.atomic
def delete_variant(*, actor: Actor, variant_id: str) -> ProductVariant:
    """Soft-delete one variant; its option values, prices and stock stay linked to it.

    Raises VariantNotFound (also for one that is deleted), Forbidden.
    """
    actor.require("catalog.delete_productvariant")
    variant, _ = _locked_variant(variant_id)
    if variant.deleted_at is not None:
        raise VariantNotFound(variant_id)
    soft_deletion.delete(variant)
    return variant


@transaction.atomic
def restore_variant(*, actor: Actor, variant_id: str) -> ProductVariant:
    """Undo a deletion. The variant gets the first value of each option that was added to the product meanwhile.

    Raises VariantNotFound, ProductDeleted, NotDeleted, ValueTaken (a code), DuplicateVariants (another variant now has
    the same value of each option), Forbidden.
    """
    actor.require("catalog.delete_productvariant")
    variant, product = _locked_variant(variant_id)
    if product.deleted_at is not None:
        raise ProductDeleted(product.title)
    soft_deletion.restore(variant)
    product_options.add_missing_values(product)
    product_options.require_distinct_variants(product)
    return variant


def _locked_variant(variant_id: str) -> tuple[ProductVariant, Product]:
    """Under the product's lock, which guards its variants, since they are compared with each other."""
    product = lock_rows(Product.objects.filter(variants=variant_id))
    if not product:
        raise VariantNotFound(variant_id)
    return ProductVariant.objects.get(pk=variant_id), product[0]


def _locked(product_id: str) -> Product:
    rows: list[Product] = lock_rows(Product.objects.filter(pk=product_id))
    if not rows:
        raise ProductNotFound(product_id)
    return rows[0]


def _parts(product: Product) -> list[models.QuerySet[BaseModel]]:
    of_product = [model.objects.filter(product=product) for model in (ProductVariant, ProductOption, ProductImage)]
    return [*of_product, ProductOptionValue.objects.filter(option__product=product)]
