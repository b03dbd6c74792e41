"""Currencies in menus: there are 180, and a shop sells in a few."""

from typing import Any

from shop.models import Region


def put_shop_currencies_first(field: Any) -> None:
    """Group the choices: the currencies of the shop's regions come first."""
    sold, others = _sold_and_others(field)
    field.choices = [("", "—"), ("Currencies of the shop", sold), ("All others", others)]


def limit_to_shop_currencies(field: Any) -> None:
    """Offer only the currencies of the shop's regions."""
    sold, _ = _sold_and_others(field)
    field.choices = [("", "—"), *sold]


def _sold_and_others(field: Any) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """The choices of the field, each by code. Two statements."""
    rows = {row.pk: (row.pk, str(row)) for row in field.queryset.order_by("code")}
    codes = Region.objects.not_deleted().order_by("currency").values_list("currency", flat=True).distinct()
    sold = [rows.pop(code) for code in codes if code in rows]
    return sold, [*rows.values()]
