"""The table of prices below the form of a variant or shipping option."""

from typing import Any

from django.contrib import admin
from django.db.models import Model, QuerySet
from django.http import HttpRequest

from catalog.admin.prices.amounts import RegionalAmountForm, current_rules, is_regional, read_choices_once
from catalog.admin.prices.distinct_prices import DistinctPrices
from catalog.models import Price, PriceSet, ProductVariant
from catalog.prices import price_sets
from catalog.prices.price_editing import VERBS
from kit.admin.inlines.indirect_inline import IndirectFormSet, IndirectInline


class PriceFormSet(DistinctPrices, IndirectFormSet):
    """The owner's prices that belong to no list."""

    repeated = "Another price has this currency, these quantities and this region."

    def holder_of(self, owner: ProductVariant | None) -> Model:
        return owner.price_set or PriceSet() if owner else PriceSet()

    def keep_holder(self) -> None:
        self.owner.price_set = self.instance = price_sets.of_owner(self.owner)

    def stored(self) -> QuerySet[Price]:
        """Looks the price set up again: another page may have created it since this one was opened."""
        held = type(self.owner)._default_manager.filter(pk=self.owner.pk).values("price_set")
        prices: QuerySet[Price] = Price.objects.not_deleted()
        return prices.filter(price_set__in=held, price_list=None)


class PriceInline(IndirectInline):
    """The prices outside price lists."""

    model = Price
    verbs = VERBS
    holder = PriceSet
    form = RegionalAmountForm
    formset = PriceFormSet
    per_page = 25
    fields: tuple[str, ...] = ("currency", "amount", "min_quantity", "max_quantity", "region", "other_rules")
    readonly_fields = ("other_rules",)
    verbose_name = "price"
    verbose_name_plural = "Prices"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Price]:
        return super().get_queryset(request).filter(price_list=None).prefetch_related("rules")

    def get_formset(self, request: HttpRequest, obj: Model | None = None, **kwargs: object) -> Any:
        formset = super().get_formset(request, obj, **kwargs)
        read_choices_once(formset.form)
        return formset

    @admin.display(description="Other rules")
    def other_rules(self, row: Price) -> str:
        return ", ".join(str(rule) for rule in current_rules(row) if not is_regional(rule))
