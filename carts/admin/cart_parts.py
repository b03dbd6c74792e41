"""The tables of a cart's page: lines, shipping methods and credit lines."""

from decimal import Decimal
from typing import Any

from django.contrib import admin
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import HttpRequest
from django.utils.html import format_html

from carts.models import Cart, CreditLine, LineItem, ShippingMethod
from carts.pricing.tax_terms import TaxTerms
from catalog.models import Product, ProductVariant
from kit.admin.inlines.read_only_inline import ReadOnlyInline
from kit.admin.lists.amounts import amount_cell
from kit.admin.lists.row_link import may_open, row_link


class CartPartInline(ReadOnlyInline):
    """Rows of a cart, for users who may view carts."""

    permission = "carts.view_cart"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        own = super().get_queryset(request).select_related("cart")
        rows: QuerySet[Any] = own.annotate(is_shown_with_tax=Exists(lines_with_tax(OuterRef("cart"))))
        return rows

    @admin.display(description="Total")
    def cost(self, row: Any) -> str:
        terms = TaxTerms(row.is_shown_with_tax)
        return amount_in(terms, terms.after_discounts(row), row.cart.currency_id)


def lines_with_tax(cart: Cart | OuterRef) -> QuerySet[LineItem]:
    """The lines of the cart that have tax in their price. If there are any, its page shows amounts with tax."""
    has_tax = Q(exempt_rate=None) | ~Q(tax_total=0)
    return LineItem.objects.not_deleted().filter(has_tax, cart=cart, is_tax_inclusive=True)


def amount_in(terms: TaxTerms, amount: Decimal, currency_code: str) -> str:
    """`10.00 usd without tax`."""
    return format_html("{} {}", amount_cell(amount, currency_code), terms)


class LineInline(CartPartInline):
    """The lines of the cart. Their titles link to the products, those of variants to the variants."""

    model = LineItem
    fields = readonly_fields = ("item", "variant_sku", "quantity", "unit", "discount", "cost")
    verbose_name_plural = "Lines"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        self.links_products, self.links_variants = may_open(request, Product), may_open(request, ProductVariant)
        return super().get_queryset(request)

    @admin.display(description="Item")
    def item(self, row: LineItem) -> str:
        product, variant = row.title, row.variant_title or "variant"
        if row.product_id and self.links_products:
            product = row_link("catalog_product_change", row.product_id, product)
        if row.variant_id and self.links_variants:
            variant = row_link("catalog_productvariant_change", row.variant_id, variant)
        elif not row.variant_title:
            return product
        return format_html("{} ({})", product, variant)

    @admin.display(description="Unit price")
    def unit(self, row: LineItem) -> str:
        return amount_in(TaxTerms(row.is_tax_inclusive), row.unit_price, row.cart.currency_id)

    @admin.display(description="Discount")
    def discount(self, row: Any) -> str | None:
        terms = TaxTerms(row.is_shown_with_tax)
        return amount_in(terms, terms.discount(row), row.cart.currency_id) if row.discount_total else None


class ShippingMethodInline(CartPartInline):
    """The shipping methods of the cart."""

    model = ShippingMethod
    fields = readonly_fields = ("name", "price", "cost")
    verbose_name_plural = "Shipping"

    @admin.display(description="Amount")
    def price(self, row: Any) -> str:
        terms = TaxTerms(row.is_shown_with_tax)
        return amount_in(terms, terms.before_discounts(row), row.cart.currency_id)


class CreditLineInline(CartPartInline):
    """What gift cards and store credit pay of the cart."""

    model = CreditLine
    fields = readonly_fields = ("paid_by", "price")
    verbose_name_plural = "Paid by credit"

    @admin.display(description="Amount")
    def price(self, row: CreditLine) -> str:
        return amount_cell(row.amount, row.cart.currency_id)

    @admin.display(description="Paid by")
    def paid_by(self, row: CreditLine) -> str:
        return row.reference.replace("_", " ").replace("-", " ").capitalize()
