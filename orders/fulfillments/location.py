"""The stock location that a request names."""

from orders.fulfillments.errors import UnknownLocation
from shop.models import StockLocation


def check_location(location_id: str | None) -> None:
    """Raise UnknownLocation for a location that does not exist."""
    if location_id is not None and StockLocation.objects.not_deleted().with_id(location_id) is None:
        raise UnknownLocation(location_id)
