"""Which prices the columns of a file are for: those in a currency, or those of a region."""

from catalog.spreadsheets.references import References
from catalog.spreadsheets.stored_prices import Terms
from kit.errors import InvalidData, shown
from kit.values import money
from shop.models import Currency


class PriceColumns:
    """Reads `EUR`, and `Europe [EUR]`. currency_code: that of a column that names none."""

    def __init__(self, references: References, currency_code: str = "") -> None:
        self._references, self._default = references, currency_code
        self._currencies = {*Currency.objects.not_deleted().values_list("pk", flat=True)}

    def terms(self, part: str) -> Terms:
        """The currency and the region of the prices in a column. part: of its field. Raises InvalidData."""
        name, bracket, code = part.rstrip("]").rpartition("[")
        currency = (code if bracket else part) or self._default
        if not currency:
            raise InvalidData("This column names no currency. Choose one under “For the whole file”.")
        if bracket:
            return money.currency(currency), self._references.id("region", name.strip())
        if money.currency(currency) not in self._currencies:
            raise InvalidData(f"The shop has no currency '{shown(currency)}'.")
        return currency.lower(), None


def price_field(terms: Terms, references: References) -> str:
    """The field of a price: `price:EUR`, `price:Europe [EUR]`."""
    currency, region = terms
    return f"price:{references.name('region', region)} [{currency.upper()}]" if region else f"price:{currency.upper()}"
