"""The page that says what a test basket would pay with a promotion."""

from collections.abc import Iterator
from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest, HttpResponse, QueryDict
from unfold.widgets import UnfoldAdminSelectWidget

from carts.admin.promotions.rule_fields import relation_to
from carts.admin.promotions.tried_basket import Basket, Tried, try_basket
from carts.arithmetic.line_totals import LineTotals
from carts.arithmetic.totals import CartTotals
from carts.promotions.restated_offers import restated_offers, stored_offer
from carts.promotions.rule_declarations import BY_VALUE
from carts.promotions.rule_editing import rules_of
from carts.rule_attributes import GROUPS, SHIPPING_OPTION
from carts.states import SkipReason
from catalog.admin.variants.variant_choice import VariantChoice
from catalog.models import ProductVariant
from kit.admin.actions.row_action import row_action
from kit.admin.buttons import Button
from kit.admin.forms.amount_fields import AmountField, CountField
from kit.admin.forms.row_choices import RowChoice
from kit.admin.forms.searched_rows import SearchedRow
from kit.admin.inlines.page_table import PageTable
from kit.admin.request_actor import may_all, request_actor
from kit.domain.actor import Actor
from kit.errors import DomainError
from kit.values.money import major
from kit.values.written_amounts import written
from shop.models import Country

PLACES = 4
_MOST_UNITS = 1000
_OTHERS = {"group": BY_VALUE[GROUPS], "option": BY_VALUE[SHIPPING_OPTION]}


class BasketForm(forms.Form):
    """A basket: up to PLACES variants with their quantities, and where it goes. It offers what the actor may view."""

    def __init__(self, data: QueryDict | None, actor: Actor) -> None:
        super().__init__(data)
        served = Country.objects.not_deleted().filter(region__isnull=False, region__deleted_at=None)
        self.fields["country"] = RowChoice(served.order_by("display_name"), widget=UnfoldAdminSelectWidget)
        variants = ProductVariant.objects.not_deleted().select_related("product")
        for place in range(1, PLACES + 1):
            self.fields[f"variant_{place}"] = VariantChoice(
                variants, required=place == 1, label=f"Variant {place}", widget=_picker(ProductVariant)
            )
            self.fields[f"quantity_{place}"] = CountField(
                min_value=1, max_value=_MOST_UNITS, initial=1, required=False, label=f"Quantity {place}"
            )
        self.fields["shipping"] = AmountField(required=False, min_value=0, label="Shipping costs", max_digits=15)
        for name, declared in _OTHERS.items():
            source = declared.rows()
            if source and actor.may(source.permission):
                self.fields[name] = RowChoice(
                    source.rows(), required=False, label=declared.label, widget=_picker(source.model)
                )

    @property
    def basket(self) -> Basket:
        """What the valid form says."""
        given = self.cleaned_data
        units: dict[str, int] = {}
        for place in range(1, PLACES + 1):
            if variant := given[f"variant_{place}"]:
                units[variant.pk] = units.get(variant.pk, 0) + (given[f"quantity_{place}"] or 1)
        group, option = (row.pk if (row := given.get(name)) else None for name in _OTHERS)
        return Basket(units, given["country"].pk, group, given["shipping"], option)


def _picker(model: type[Model]) -> SearchedRow:
    return SearchedRow(relation_to(model), admin.site)


def _try_basket(screen: Any, request: HttpRequest, object_id: str) -> HttpResponse:
    """Nothing is written, so that the address of a basket can be kept."""
    promotion = screen.get_object_or_404(request, object_id)
    actor = request_actor(request)
    form = BasketForm(request.GET if "country" in request.GET else None, actor)
    table, note = None, ""
    if form.is_valid():
        try:
            offer = stored_offer(promotion, rules_of([promotion.pk])[promotion.pk])
            tried = try_basket(offer, form.basket, currency_code=promotion.currency_id)
        except DomainError as refusal:
            form.add_error(None, refusal.message)
        else:
            table, note = _table(tried), _note(tried, promotion.currency_id)
    page: HttpResponse = screen.page(
        request,
        "carts/test_basket.html",
        title=f"Try {promotion} on a basket",
        original=promotion,
        offer=restated_offers([promotion], actor)[promotion.pk],
        form=form,
        media=screen.media + form.media,
        table=table,
        note=note,
    )
    return page


def _table(tried: Tried) -> PageTable:
    costs = tried.costs
    named = [(f"{line.constants['title']}, {line.constants['variant_title']}", line.quantity) for line in tried.lines]
    named += [(method.name, 1) for method in tried.methods]
    rows = [
        (name, str(quantity), *_amounts(tried, row))
        for (name, quantity), row in zip(named, (*costs.lines, *costs.methods), strict=True)
    ]
    headers = ("Item", "Quantity", "Without it", "Discount", "To pay, with tax")
    return PageTable("Basket", headers, [*rows, ("Total", "", *_amounts(tried, costs.cart))], headers[1:])


def _amounts(tried: Tried, row: LineTotals | CartTotals) -> Iterator[str]:
    amounts = (row.original_total, row.discount_total, row.total)
    return (written(major(amount), tried.currency_code) for amount in amounts)


def _note(tried: Tried, currency_code: str | None) -> str:
    """Why it takes nothing off."""
    if currency_code not in (None, tried.currency_code):
        return f"It applies in {str(currency_code).upper()} alone, and this basket is in {tried.currency_code.upper()}."
    if tried.skip is None:
        return ""
    reason, missing = tried.skip
    lacks = f" ({major(missing).normalize():f} missing)" if missing else ""
    return f"It takes nothing off this basket: {SkipReason(reason).value.replace('_', ' ')}{lacks}."


TRY_BASKET = Button(
    row_action(name="try_basket", description="Try a basket", icon="shopping_cart")(_try_basket),
    may_all("carts.view_promotion", "catalog.view_productvariant"),
)
