"""The destination of a cart, as far as it is known."""

from typing import NamedTuple


class Destination(NamedTuple):
    """Of the shipping address. Codes are lower-case; a province that is no ISO 3166-2 subdivision is as typed."""

    country_code: str | None = None
    province: str | None = None
    city: str | None = None
    postal_code: str | None = None
