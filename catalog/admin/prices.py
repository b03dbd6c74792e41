"""The table of prices below the form of what is sold."""

from typing import Any

from django.contrib import admin
from django.db.models import Model, QuerySet
from django.http import HttpRequest

from catalog.admin.amounts import RegionalAmountForm, is_regional, living_rules
from catalog.models import Price, PriceSet
from commerce.admin.held_parts import HeldFormSet, HeldInline
from commerce.admin.living_choices import read_once


class PriceFormSet(HeldFormSet):
    """The owner's prices that belong to no list. No two are for the same currency, quantities and region."""

    def holder_of(self, owner: Any) -> Model:
        held: PriceSet | None = owner.price_set if owner else None
        return held or PriceSet()

    def keep_holder(self) -> None:
        self.instance.save(force_insert=True)
        self.owner.price_set = self.instance
        self.owner.save(update_fields=["price_set", "updated_at"])

    def clean(self) -> None:
        super().clean()
        seen = set()
        for form in self.remaining:
            given = form.cleaned_data if not form.errors else None
            if given is None or form.has_other_rules:
                continue
            key = tuple(given[name] for name in ("currency", "min_quantity", "max_quantity", "region"))
            if key in seen:
                form.add_error("currency", "Another price is for this currency, these quantities and this region.")
            seen.add(key)


class PriceForm(RegionalAmountForm):
    """A price of what the form above is about."""

    @property
    def has_other_rules(self) -> bool:
        """Whether more than its region narrows the price."""
        return any(not is_regional(rule) for rule in living_rules(self.instance))


class PriceInline(HeldInline):
    """What it costs outside price lists."""

    model = Price
    holder = PriceSet
    form = PriceForm
    formset = PriceFormSet
    per_page = 25
    fields = ("currency", "amount", "min_quantity", "max_quantity", "region", "other_rules")
    readonly_fields = ("other_rules",)
    verbose_name = "price"
    verbose_name_plural = "Prices"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Price]:
        return super().get_queryset(request).filter(price_list=None).prefetch_related("rules")

    def get_formset(self, request: HttpRequest, obj: Any = None, **kwargs: Any) -> Any:
        """The regions are read once for all rows."""
        formset = super().get_formset(request, obj, **kwargs)
        read_once(formset.form, "region")
        return formset

    @admin.display(description="Other rules")
    def other_rules(self, row: Price) -> str:
        return ", ".join(str(rule) for rule in living_rules(row) if not is_regional(rule))
