"""The taxes that result from the rates of a place, for its page: by the same function as carts."""

from collections.abc import Iterator, Sequence
from decimal import Decimal

from catalog.models import Product, ProductType
from fulfillment.models import ShippingOption
from kit.admin.inlines.page_table import PageTable
from kit.admin.lists.amounts import amount_cell
from kit.values.money import HUNDRED_PERCENT, percent_text, rounded
from shop.taxes import ApplicableTax, Goods, TaxPlace
from taxes.models import RuleReference, TaxRateRule, TaxRegion

_FALLBACK_CURRENCY = "eur"
"""The currency of the amounts where the shop does not sell."""
ON_A_HUNDRED = "Tax on 100.00 net"
_SCALE = HUNDRED_PERCENT // 100


def resulting_taxes(place: TaxRegion) -> PageTable:
    """The taxes on each product, type and shipping option that a rate here or of the country names.

    Then on everything else.
    """
    named = list(_taxed_items(place))
    region = place.country.region
    own = region if region is not None and region.deleted_at is None else None
    tax_place = TaxPlace(int(own.tax_rate * _SCALE) if own else 0, place.country_id, place.province)
    applicable = tax_place.taxes_on([goods for _, goods in named])
    currency = own.currency_id if own else _FALLBACK_CURRENCY
    cells = [
        (name, _label(taxes, own.name if own else ""), amount_cell(_on_a_hundred(taxes, currency), currency))
        for (name, _), taxes in zip(named, applicable, strict=True)
    ]
    return PageTable("Resulting taxes", ("Goods", "Taxes", ON_A_HUNDRED), cells, amounts=(ON_A_HUNDRED,))


def _taxed_items(place: TaxRegion) -> Iterator[tuple[str, Goods]]:
    """The goods with their names."""
    regions = [place.pk, place.parent_id] if place.parent_id else [place.pk]
    rules = TaxRateRule.objects.not_deleted().filter(tax_rate__tax_region__in=regions, tax_rate__deleted_at=None)
    ids: dict[str, set[str]] = {reference: set() for reference in RuleReference.values}
    for reference, key in rules.values_list("reference", "reference_id"):
        ids[reference].add(key)
    types = ProductType.objects.not_deleted().filter(pk__in=ids[RuleReference.PRODUCT_TYPE])
    products = Product.objects.not_deleted().filter(pk__in=ids[RuleReference.PRODUCT])
    options = ShippingOption.objects.not_deleted().filter(pk__in=ids[RuleReference.SHIPPING_OPTION])
    yield from ((each.value, Goods(product_type_id=each.pk)) for each in types.order_by("value"))
    yield from ((each.title, Goods(each.pk, each.type_id)) for each in products.order_by("title"))
    yield "All other products", Goods()
    for option in options.order_by("name", "pk").select_related("service_zone"):
        yield f"{option.name} ({option.service_zone.name})", Goods(shipping_option_id=option.pk)
    yield "Shipping" if not ids[RuleReference.SHIPPING_OPTION] else "All other shipping", Goods()


def _label(taxes: Sequence[ApplicableTax], region: str) -> str:
    """The taxes in words, such as `GST 5 % + QST 9.975 %`."""
    names = (tax.description if tax.tax_rate_id else f"Rate of the region {region}" for tax in taxes)
    shares = (percent_text(Decimal(tax.rate) / _SCALE) for tax in taxes)
    return " + ".join(f"{name} {share}" for name, share in zip(names, shares, strict=True)) or "None"


def _on_a_hundred(taxes: Sequence[ApplicableTax], currency: str) -> Decimal:
    return sum((rounded(Decimal(tax.rate) / _SCALE, currency) for tax in taxes), Decimal())
