"""Which prices the columns of a file are for: those in a currency, or those of a region."""

from catalog.spreadsheets.references import References
from catalog.spreadsheets.stored_products import Terms
from kit.errors import InvalidData, shown
from kit.values import money
from shop.models import Currency, Region


class PriceColumns:
    """Reads `EUR`, and `Europe [EUR]`. currency_code: that of a column that names none. Keeps what it has read."""

    def __init__(self, currency_code: str = "") -> None:
        self._default = currency_code
        self._currencies = {*Currency.objects.not_deleted().values_list("pk", flat=True)}
        self._regions = {
            key: name.casefold() for key, name in Region.objects.filter(deleted_at=None).values_list("pk", "name")
        }
        self._found: dict[str, Terms | InvalidData] = {}

    def terms(self, part: str) -> Terms:
        """The currency and the region of the prices in a column. part: of its field. Raises InvalidData."""
        if part not in self._found:
            try:
                self._found[part] = self._terms(part)
            except InvalidData as refusal:
                self._found[part] = refusal
        found = self._found[part]
        if isinstance(found, InvalidData):
            raise InvalidData(found.message)
        return found

    def _terms(self, part: str) -> Terms:
        name, bracket, code = part.rstrip("]").rpartition("[")
        currency = (code if bracket else part) or self._default
        if not currency:
            raise InvalidData("This column names no currency. Choose one under “For the whole file”.")
        if not bracket:
            if money.currency(currency) not in self._currencies:
                raise InvalidData(f"The shop has no currency '{shown(currency)}'.")
            return currency.lower(), None
        regions = [key for key, own in self._regions.items() if own == name.strip().casefold()]
        if len(regions) != 1:
            raise InvalidData(
                f"No region is called '{shown(name.strip())}'."
                if not regions
                else f"Several regions are called '{shown(name.strip())}'."
            )
        return money.currency(currency), regions[0]


def price_field(terms: Terms, references: References) -> str:
    """The field of a price: `price:EUR`, `price:Europe [EUR]`."""
    currency, region = terms
    return f"price:{references.name('region', region)} [{currency.upper()}]" if region else f"price:{currency.upper()}"
