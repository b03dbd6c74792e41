"""The columns that the context of a cart or order is made of."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Self

from django.db.models import Exists, OuterRef, Q, QuerySet

from carts.arithmetic.totals import CartTotals
from carts.models import CartPromotion, PromotionGate, PromotionRule
from carts.promotions.facts import OF_CATALOGUE
from carts.promotions.in_force import for_all_carts
from kit.reads.sql.keyed_rows import KeyedRows
from shop.regions.only_country import with_only_country
from shop.taxes import Exemption


class ContextRow(NamedTuple):
    """The columns of a cart or order, and of what it refers to, by their ORM paths; then its totals."""

    id: str
    region_id: str
    region__tax_rate: int
    region__is_tax_inclusive: bool
    region__deleted_at: str | None
    only_country: str | None
    currency_id: str
    currency__is_tax_inclusive: bool
    shipping_address__country_code: str | None
    shipping_address__province: str | None
    shipping_address__city: str | None
    shipping_address__postal_code: str | None
    billing_address__country_code: str | None
    billing_address__province: str | None
    needs_shipping: bool
    has_promotions: bool
    has_gates: bool
    has_catalogue_rules: bool
    sales_channel_id: str
    customer_id: str | None
    customer__has_account: bool | None
    customer__tax_number: str | None
    email: str | None
    customer__is_tax_exempt: bool | None
    customer__tax_exempt_countries: str | None
    customer__tax_exempt_until: object
    customer__groups__id: str | None
    customer__groups__deleted_at: str | None
    customer__groups__is_tax_exempt: bool | None
    customer__groups__tax_exempt_countries: str | None
    customer__groups__tax_exempt_until: object
    totals: CartTotals

    @classmethod
    def load(cls, *values: Any) -> Self:
        own = len(cls._fields) - 1
        return cls._make((*values[:own], CartTotals._make(values[own:])))

    @property
    def owner_id(self) -> str | None:
        return self.customer_id if self.customer__has_account else None

    @property
    def exemptions(self) -> Iterator[Exemption]:
        """The customer's own, and that of the group."""
        yield Exemption(
            self.customer__is_tax_exempt, self.customer__tax_exempt_countries, self.customer__tax_exempt_until
        )
        if self.customer__groups__deleted_at is None:
            yield Exemption(
                self.customer__groups__is_tax_exempt,
                self.customer__groups__tax_exempt_countries,
                self.customer__groups__tax_exempt_until,
            )


_HAS_GATES = Exists(PromotionGate.objects.all())
_HAS_CATALOGUE_RULES = Exists(PromotionRule.objects.filter(attribute__in=OF_CATALOGUE))


def context_rows(
    owners: Callable[[], QuerySet[Any]], lines: Callable[[], QuerySet[Any]], *, owner: str
) -> KeyedRows[ContextRow]:
    """The rows of carts or orders by id. owner: the column of the lines that refers to them."""

    def rows() -> QuerySet[Any]:
        own = lines().filter(**{owner: OuterRef("pk")})
        needs_shipping = Q(Exists(own.filter(requires_shipping=True))) | ~Exists(own)
        has_promotions = Q(Exists(for_all_carts())) | Q(Exists(CartPromotion.objects.filter(cart=OuterRef("pk"))))
        flags = {
            "has_promotions": has_promotions,
            "has_gates": _HAS_GATES,
            "has_catalogue_rules": _HAS_CATALOGUE_RULES,
        }
        return with_only_country(owners().annotate(needs_shipping=needs_shipping, **flags), region="region_id")

    return KeyedRows(rows, key="id", row=ContextRow.load, columns=(*ContextRow._fields[:-1], *CartTotals._fields))
