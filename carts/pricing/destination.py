"""Where a cart is to be delivered."""

from typing import NamedTuple


class Destination(NamedTuple):
    """Parts of the shipping address. Codes are lower-case; a province that is not in ISO 3166-2 stays as entered."""

    country_code: str | None = None
    province: str | None = None
    city: str | None = None
    postal_code: str | None = None
