"""Read-only fields: links to related rows, amounts with their currency, countries by name."""

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

from django.db.models import Model
from unfold.fields import UnfoldAdminReadonlyField

from kit.admin.lists.row_link import opening_link
from kit.values.money import MoneyField, PercentField
from kit.values.places import country_name, province_name
from kit.values.written_amounts import written

_NAMED: Mapping[str, Callable[[str], str]] = {
    **dict.fromkeys(("country_code", "origin_country"), country_name),
    **dict.fromkeys(("province", "province_code"), province_name),
}


class ReadonlyField(UnfoldAdminReadonlyField):  # type: ignore[misc]
    """Links to the related row only for users who may open it; Django and the theme link it for everybody.

    Codes of countries and provinces are shown by name, amounts of rows that have a currency with it.

    The request is `shown_to` of the form's class, which is made for each request.
    """

    def get_admin_url(self, remote_field: object, remote_obj: Model) -> str:
        request = getattr(self.form, "shown_to", None)
        return str(remote_obj) if request is None else opening_link(request, remote_obj)

    def contents(self) -> Any:
        name, row = str(self.field["field"]), self.form.instance
        value, currency_code = getattr(row, name, None), getattr(row, "currency_id", None)
        if name in _NAMED and isinstance(value, str):
            return _NAMED[name](value)
        if isinstance(value, Decimal) and currency_code and _is_amount(row, name):
            return written(value, currency_code)
        return super().contents()


def _is_amount(row: Model, name: str) -> bool:
    column = next((field for field in row._meta.fields if field.name == name), None)
    return isinstance(column, MoneyField) and not isinstance(column, PercentField)
