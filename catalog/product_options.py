"""The options of a product and their values. Every variant has one value of each option.

Callers hold the lock on the product.
"""

from collections.abc import Collection, Sequence

from catalog.errors import OptionValueInUse
from catalog.models import Product, ProductOption, ProductOptionValue, ProductVariant
from catalog.product_details import require_distinct
from commerce.kit.core import soft_deletion


def current_values(option: ProductOption) -> dict[str, ProductOptionValue]:
    """The values that are not deleted, by text."""
    return {row.value: row for row in option.values.filter(deleted_at=None).order_by("pk")}


def require_unused(option: ProductOption, *, kept: Sequence[str]) -> None:
    """Raise OptionValueInUse if a variant has a value that is not among those kept."""
    for text, value in current_values(option).items():
        holder = value.variants.filter(deleted_at=None).first() if text not in kept else None
        if holder is not None:
            raise OptionValueInUse(text, str(holder))


def values_of_variants(
    product: Product, *, without: Sequence[ProductOption] = ()
) -> dict[str, tuple[str, frozenset[str]]]:
    """The titles of the variants and the ids of their option values, without those of these options, by variant id."""
    return values_by_product([product.pk], without=without).get(product.pk, {})


def values_by_product(
    products: Collection[str], *, without: Sequence[ProductOption] = ()
) -> dict[str, dict[str, tuple[str, frozenset[str]]]]:
    """The same of several products, by product id, in two statements."""
    if not products:
        return {}
    variants = ProductVariant.objects.not_deleted().filter(product__in=products).order_by("pk")
    gone = {option.pk for option in without}
    values: dict[str, dict[str, tuple[str, frozenset[str]]]] = {}
    for variant in variants.prefetch_related("options"):
        chosen = (one.pk for one in variant.options.all() if one.deleted_at is None and one.option_id not in gone)
        values.setdefault(variant.product_id, {})[variant.pk] = (variant.title, frozenset(chosen))
    return values


def require_distinct_variants(product: Product, *, gone: Sequence[ProductOption] = ()) -> None:
    """Raise DuplicateVariants if two variants would have the same values once these options are gone."""
    require_distinct(values_of_variants(product, without=gone))


def set_values(option: ProductOption, *, values: Sequence[str]) -> None:
    """Replace the values of the stored option. Variants without one get the first."""
    stored = current_values(option)
    for text, value in stored.items():
        if text not in values:
            soft_deletion.delete(value)
    _give_first(option, [stored.get(text) or option.values.create(value=text) for text in values])


def add_missing_values(product: Product) -> None:
    """Give variants the first value of each option that they lack."""
    for option in product.options.filter(deleted_at=None).order_by("pk"):
        _give_first(option, list(current_values(option).values()))


def remove(option: ProductOption) -> None:
    """Delete the option; its variants no longer have a value of it."""
    soft_deletion.delete(option, ProductOptionValue.objects.filter(option=option))


def _give_first(option: ProductOption, values: Sequence[ProductOptionValue]) -> None:
    lacking = ProductVariant.objects.not_deleted().filter(product=option.product_id).exclude(options__in=values)
    for variant in lacking if values else ():
        variant.options.add(values[0])
