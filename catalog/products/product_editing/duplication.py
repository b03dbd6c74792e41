"""The verb that duplicates a product."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db import models, transaction

from catalog import search
from catalog.errors import ProductNotFound
from catalog.models import (
    Price,
    PriceRule,
    PriceSet,
    Product,
    ProductImage,
    ProductOption,
    ProductOptionValue,
    ProductVariant,
)
from catalog.products.product_details import CODES
from catalog.states import ProductStatus
from kit.database.locking import lock_row
from kit.domain.actor import Actor
from kit.editing.reporting import Change, report, reported
from kit.values.text import LONGEST
from kit.values.timestamps import now
from kit.writes.insertion import insert

PERMISSIONS = tuple(
    f"catalog.add_{name}" for name in ("product", "productoption", "productvariant", "productimage", "price")
)
Copies = Mapping[str, Any]
"""The copies by the id of their originals."""


@transaction.atomic
@reported()
def duplicate(*, actor: Actor, product_id: str) -> Product:
    """Create a draft with the product's details, images, options, variants and prices.

    What must be unique is not copied: the handle gets a number, codes and the external id are empty. Nor are stock and
    the prices of price lists. The number of statements does not depend on the number of variants.

    Raises ProductNotFound (also for a deleted one), Forbidden.
    """
    for permission in PERMISSIONS:
        actor.require(permission)
    product: Product | None = lock_row(Product.objects.not_deleted(), product_id)
    if product is None:
        raise ProductNotFound(product_id)
    changed = {
        "title": f"Copy of {product.title}"[:LONGEST],
        "handle": _free_handle(product.handle),
        "status": ProductStatus.DRAFT,
        "external_id": None,
    }
    with search.paused():
        made: Product = _copied([product], changed)[product.pk]
        of_product = {"product_id": made.pk}
        for name in ("tags", "categories", "sales_channels"):
            _link(Product, name, {product.pk: made})
        images = _copied(ProductImage.objects.filter(product=product, deleted_at=None), of_product)
        options = _copied(ProductOption.objects.not_deleted().filter(product=product), of_product)
        values = _copied(
            ProductOptionValue.objects.not_deleted().filter(option__in=[*options]), references={"option_id": options}
        )
        variants = ProductVariant.objects.not_deleted().filter(product=product).order_by("pk")
        _copy_variants(list(variants), made, values, images)
    search.refresh([made.pk])
    return made


def _copy_variants(variants: Sequence[ProductVariant], product: Product, values: Copies, images: Copies) -> None:
    sets = _copied(PriceSet.objects.filter(pk__in=[one.price_set_id for one in variants if one.price_set_id]))
    changed = {"product_id": product.pk, **dict.fromkeys(CODES)}
    copies = _copied(variants, changed, references={"price_set_id": sets})
    _link(ProductVariant, "options", copies, targets=values)
    _link(ProductVariant, "images", copies, targets=images)
    prices = _copied(
        Price.objects.not_deleted().filter(price_set__in=[*sets], price_list=None), references={"price_set_id": sets}
    )
    _copied(PriceRule.objects.not_deleted().filter(price__in=[*prices]), references={"price_id": prices})


def _copied(
    rows: Iterable[Any], values: Mapping[str, object] | None = None, *, references: Mapping[str, Copies] | None = None
) -> dict[str, Any]:
    """Insert copies of the rows, which refer to copies; by the ids of the originals."""
    copies = {}
    for row in rows:
        columns = {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}
        del columns["id"]
        columns |= {**(values or {}), "created_at": now()}
        for name, of in (references or {}).items():
            columns[name] = of[columns[name]].pk if columns[name] in of else None
        copies[row.pk] = type(row)(**columns)
    insert([*copies.values()])
    for made in copies.values():
        report(type(made), Change.CREATED, [made])
    return copies


def _link(model: type[models.Model], name: str, copies: Copies, *, targets: Copies | None = None) -> None:
    """Link the copies to what their originals are linked to, or to the copies of that."""
    field: Any = model._meta.get_field(name)
    through = getattr(model, name).through
    source, target = f"{field.m2m_field_name()}_id", f"{field.m2m_reverse_field_name()}_id"
    links = through._default_manager.filter(**{f"{source}__in": [*copies]}).values_list(source, target)
    insert(
        [
            through(**{source: copies[one].pk, target: targets[other].pk if targets is not None else other})
            for one, other in links
            if targets is None or other in targets
        ]
    )


def _free_handle(handle: str) -> str:
    """`shirt-copy`, or with the first free number: `shirt-copy-2`."""
    stem = f"{handle[: LONGEST - 12]}-copy"
    taken = set(Product.objects.not_deleted().filter(handle__startswith=stem).values_list("handle", flat=True))
    candidates = (stem, *(f"{stem}-{number}" for number in range(2, len(taken) + 3)))
    return next(one for one in candidates if one not in taken)
