"""The shop file's currencies. All of them exist already; the file sets whether their amounts include tax."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from django.db.models import Q

from kit.errors import InvalidData
from kit.shop_file.row_fields import row_fields
from kit.shop_file.sections import RowsSection
from kit.shop_file.values import Entry, InvalidValue, Text, Value
from kit.values.json import JSONObject
from kit.values.money import currency
from shop.currency_editing import VERBS
from shop.models import Currency, Region


@dataclass(frozen=True, kw_only=True)
class CurrencyCode(Text):
    """The ISO 4217 code of a currency, in any letter case."""

    attribute: str = "currency_id"

    def parse(self, raw: object) -> str:
        try:
            return currency(super().parse(raw))
        except InvalidData as error:
            raise InvalidValue(f"'{raw}' is not an ISO 4217 currency code") from error


class Currencies(RowsSection[Currency]):
    """The currencies of the shop's regions, and others whose amounts include tax."""

    key = "currencies"
    verbs = VERBS
    natural_key = "code"
    fields: ClassVar[Mapping[str, Value]] = {
        "code": CurrencyCode(required=True, attribute="code"),
        **row_fields(VERBS),
    }

    @classmethod
    def all_fields(cls) -> Mapping[str, Value]:
        return cls.fields

    def row_of(self, entry: Entry, by_id: Mapping[str, Currency], by_name: Mapping[str, Currency]) -> Currency | None:
        row = super().row_of(entry, by_id, by_name)
        if row is None and entry.is_sound:
            self.refuse(entry, f"the shop has no currency '{entry.given['code']}'", field="code")
        return row

    @classmethod
    def dump(cls, *, with_credentials: bool) -> Iterator[JSONObject]:
        used = Region.objects.not_deleted().values("currency")
        rows = Currency.objects.not_deleted().filter(Q(is_tax_inclusive=True) | Q(pk__in=used))
        for code, is_tax_inclusive in rows.order_by("code").values_list("code", "is_tax_inclusive"):
            yield {"code": code, "is_tax_inclusive": is_tax_inclusive}
