"""Currencies in menus: there are 180, and a shop sells in a few."""

from copy import deepcopy
from typing import Any

from django import forms
from django.db.models import Exists, OuterRef, QuerySet
from unfold.contrib.filters.admin import RelatedDropdownFilter

from kit.values.currencies import NOT_PAID_WITH, currency_name
from shop.models import Currency, Region, Store

Choices = list[tuple[str, str]]
_REGIONS = Region.objects.not_deleted().filter(currency=OuterRef("pk"))


def put_shop_currencies_first(field: Any, *, stored: str | None = None) -> None:
    """Group the choices: the currencies of the shop's regions come first. stored: offered, whatever it is."""
    sold, others = _sold_and_others(stored)
    field.choices = [("", "—"), ("Currencies of the shop", sold), ("All others", others)]


def limit_to_shop_currencies(field: Any) -> None:
    """Offer only the currencies of the shop's regions."""
    field.choices = [("", "—"), *((row.pk, str(row)) for row in _sold())]


def read_shop_currencies_once(form: type[forms.Form | forms.ModelForm[Any]], name: str) -> None:
    """Offer the currencies of the shop's regions in all forms of the class; that of the default region is filled in.

    It comes first. A shop without regions is offered all. One statement.
    """
    field: Any = deepcopy(form.base_fields[name])
    default = Store.objects.filter(default_region__currency=OuterRef("pk"))
    sold = list(_sold().annotate(is_default=Exists(default)).order_by("-is_default", "name"))
    field.choices = [("", "—"), *(((row.pk, str(row)) for row in sold) if sold else _sold_and_others()[1])]
    field.initial = next((row.pk for row in sold if row.is_default), None)
    form.base_fields[name] = field


def keep_offered(field: Any, code: str) -> None:
    """Offer the stored currency, too."""
    if code not in dict(field.choices):
        field.choices = [*field.choices, (code, f"{currency_name(code)} ({code.upper()})")]


class CurrencyFilter(RelatedDropdownFilter):  # type: ignore[misc]
    """Rows by currency, those of the shop first."""

    def field_choices(self, field: object, request: object, model_admin: object) -> Choices:
        sold, others = _sold_and_others()
        return [*sold, *others]


def _sold() -> QuerySet[Currency]:
    rows: QuerySet[Currency] = Currency.objects.not_deleted().filter(Exists(_REGIONS)).order_by("name")
    return rows


def _sold_and_others(stored: str | None = None) -> tuple[Choices, Choices]:
    """The choices by name. One statement."""
    rows = Currency.objects.not_deleted().annotate(is_sold=Exists(_REGIONS)).order_by("name")
    offered = [row for row in rows if row.is_sold or row.pk == stored or row.pk not in NOT_PAID_WITH]
    sold, others = ([(row.pk, str(row)) for row in offered if row.is_sold is wanted] for wanted in (True, False))
    return sold, others
