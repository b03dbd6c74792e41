"""The errors of the shop."""

from kit.domain.missing_row import RowNotFound
from kit.errors import InvalidData, NotAllowed, Unavailable


class StockLocationNotFound(RowNotFound):
    """No stock location with that id, or a deleted one."""

    noun = "Stock location"


class CountryTaken(NotAllowed):
    """A country belongs to one region at most."""

    def __init__(self, country_code: str, region_name: str) -> None:
        super().__init__(f"Country with code: {country_code} already belongs to the region '{region_name}'")
        self.region_name = region_name


class TaxRateRepeated(InvalidData):
    """A region has one rate for a country, and one for each of its provinces."""

    def __init__(self, place: str) -> None:
        super().__init__(f"There are two tax rates for '{place}'")


class ProviderUnavailable(Unavailable):
    """A provider did not answer.

    provider: how the message names it. is_retried: whether the shop keeps the request and repeats it by itself.
    """

    def __init__(self, provider: str, *, is_retried: bool = False) -> None:
        super().__init__(
            f"The {provider} is not responding{'; it will be retried automatically' if is_retried else ''}"
        )
