"""Which prices the columns of a file are for: those in a currency, of a region, or of a sale."""

from collections.abc import Collection
from contextlib import suppress

from catalog.spreadsheets.references import References
from catalog.spreadsheets.stored_prices import Terms
from kit.errors import DomainError, InvalidData, shown
from kit.spreadsheets.columns import Columns
from kit.spreadsheets.declarations import Options
from kit.values import money
from shop.models import Currency

SALE = "Imported sale"
"""The price list that has the prices which are compared with higher ones, unless another title is chosen."""
_FIELD = "sale_price:"


class PriceColumns:
    """Reads `price:EUR`, and `price:Europe [EUR]`. fields: of a file. currency_code: of those that name none."""

    def __init__(
        self, references: References, columns: Columns, fields: Collection[str], currency_code: str = ""
    ) -> None:
        self._references, self._default = references, currency_code
        self._currencies = {*Currency.objects.not_deleted().values_list("pk", flat=True)}
        self._repeated = self._repetitions(columns, fields)

    def terms(self, field: str) -> Terms:
        """The currency and the region of the prices in a column, only the currency if it is of a sale.

        Raises InvalidData, also for the second of two columns of the same price.
        """
        if reason := self._repeated.get(field):
            raise InvalidData(reason)
        return self._terms(field)

    def _terms(self, field: str) -> Terms:
        name, code = name_and_currency(field.partition(":")[2])
        currency = code or self._default
        if not currency:
            raise InvalidData("This column names no currency. Choose one for the whole file.")
        if name and not field.startswith(_FIELD):
            return money.currency(currency), self._references.id("region", name)
        if money.currency(currency) not in self._currencies:
            raise InvalidData(f"The shop has no currency '{shown(currency)}'.")
        return currency.lower(), None

    def _repetitions(self, columns: Columns, fields: Collection[str]) -> dict[str, str]:
        """Why a field is refused of which an earlier one, in alphabetical order, means the same price."""
        first, found = dict[tuple[bool, Terms], str](), dict[str, str]()
        for field in sorted(fields):
            if field.startswith(("price:", _FIELD)) or field in ("plain_price", "compare_at"):
                is_sale = field == "compare_at" or field.startswith(_FIELD)
                with suppress(DomainError):  # it says so itself, in each row
                    earlier = first.setdefault((is_sale, self._terms(field)), field)
                    if earlier != field:
                        names = " and ".join(columns.header(one) for one in (earlier, field))
                        found[field] = f"The columns {names} are the same price. Leave out one of them."
        return found


def name_and_currency(part: str) -> tuple[str, str]:
    """Of `Europe [EUR]`; part: of a field. The name is "" in `EUR`."""
    name, bracket, code = part.rstrip("]").rpartition("[")
    return (name.strip(), code) if bracket else ("", part)


def price_field(terms: Terms, references: References) -> str:
    """The field of a price: `price:EUR`, `price:Europe [EUR]`."""
    currency, region = terms
    return f"price:{references.name('region', region)} [{currency.upper()}]" if region else f"price:{currency.upper()}"


def sale_titles(fields: Collection[str], options: Options) -> set[str]:
    """The titles of the price lists that these fields name. An import can write to only one."""
    chosen = options.get("price_list") or SALE
    named = {name_and_currency(field.removeprefix(_FIELD))[0] or chosen for field in fields if field.startswith(_FIELD)}
    return named | ({chosen} if "compare_at" in fields else set())


def sale_title(fields: Collection[str], options: Options) -> str:
    """The smallest of `sale_titles`; the chosen or default title if the fields name none."""
    return min(sale_titles(fields, options), default=options.get("price_list") or SALE)


def sale_field(currency: str, title: str) -> str:
    """The field of a price. It names the list unless a file with other options would mean it, too."""
    return f"{_FIELD}{currency.upper()}" if title == SALE else f"{_FIELD}{title} [{currency.upper()}]"
