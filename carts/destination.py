"""Where the goods of a cart go, as far as that is known."""

from typing import NamedTuple


class Destination(NamedTuple):
    """Of the shipping address: codes lower-case, the province as it was typed where it names no subdivision."""

    country_code: str | None = None
    province: str | None = None
    city: str | None = None
    postal_code: str | None = None
