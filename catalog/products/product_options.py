"""The options of a product and their values. Every variant has one value of each option.

Callers hold the lock on the product.
"""

from collections import defaultdict
from collections.abc import Collection, Sequence

from catalog.errors import OptionValueInUse
from catalog.models import Product, ProductOption, ProductOptionValue, ProductVariant
from catalog.products.product_details import require_distinct
from kit.errors import NotAllowed


def require_unused(option: ProductOption, *, kept: Sequence[str]) -> None:
    """Raise OptionValueInUse if a variant has a value that is not among those kept."""
    gone = option.values.filter(deleted_at=None).exclude(value__in=kept)
    for refusal in uses({*gone.values_list("pk", flat=True)}).values():
        raise refusal


def require_removable(values: Collection[ProductOptionValue]) -> None:
    """Raise OptionValueInUse if a variant has one of the values, NotAllowed if an option has no others."""
    keys = {value.pk for value in values}
    for refusal in uses(keys).values():
        raise refusal
    options = {value.option_id for value in values}
    others = ProductOptionValue.objects.not_deleted().filter(option__in=options).exclude(pk__in=keys)
    if options - {*others.values_list("option", flat=True)}:
        raise NotAllowed("An option needs a value")


def uses(values: Collection[str]) -> dict[str, OptionValueInUse]:
    """Why values cannot be removed that variants have, by id. One statement."""
    links = ProductVariant.options.through.objects.filter(
        productoptionvalue__in=values, productvariant__deleted_at=None
    )
    names = links.order_by("productoptionvalue", "-productvariant").values_list(
        "productoptionvalue", "productoptionvalue__value", "productvariant__title"
    )
    return {key: OptionValueInUse(value, variant) for key, value, variant in names}


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
    rows = [*variants.values_list("pk", "product_id", "title")]
    keys = [row[0] for row in rows]  # no subquery: in a new shop, PostgreSQL would read all links
    links = ProductVariant.options.through.objects.filter(
        productvariant__in=keys, productoptionvalue__deleted_at=None
    ).exclude(productoptionvalue__option__in=without)
    chosen: defaultdict[str, set[str]] = defaultdict(set)
    for variant_id, value_id in links.values_list("productvariant_id", "productoptionvalue_id") if rows else ():
        chosen[variant_id].add(value_id)
    values: dict[str, dict[str, tuple[str, frozenset[str]]]] = {}
    for variant_id, product_id, title in rows:
        values.setdefault(product_id, {})[variant_id] = (title, frozenset(chosen[variant_id]))
    return values


def require_distinct_variants(products: Collection[str]) -> None:
    """Raises DuplicateVariants where two variants of one of these products have the same values. Two statements."""
    for values in values_by_product(products).values():
        require_distinct(values)


def add_missing_values(products: Collection[str]) -> None:
    """Give the variants of these products the first value of each option that they lack. At most four statements."""
    variants = dict(ProductVariant.objects.not_deleted().filter(product__in=products).values_list("pk", "product"))
    if not variants:
        return
    values = ProductOptionValue.objects.not_deleted().filter(option__product__in=products, option__deleted_at=None)
    first: dict[str, dict[str, str]] = {}
    for product, option, value in values.order_by("pk").values_list("option__product", "option", "pk"):
        first.setdefault(product, {}).setdefault(option, value)
    links = ProductVariant.options.through.objects
    has = links.filter(productvariant__in=variants, productoptionvalue__deleted_at=None)
    present = {*has.values_list("productvariant", "productoptionvalue__option")} if first else set()
    missing = [
        links.model(productvariant_id=variant, productoptionvalue_id=value)
        for variant, product in variants.items()
        for option, value in first.get(product, {}).items()
        if (variant, option) not in present
    ]
    if missing:
        links.bulk_create(missing)
