"""Parcels with tracking numbers: an example of a provider that books parcels and reports on them, to copy.

It calls nothing outside: tracking numbers are derived from the idempotency key, so that a repeated request gets the
same ones. A shipping option's data may hold `{"tracking_page": "https://parcels.example/{number}"}` and
`{"countries": ["gb", "de"]}`: it declines other destinations.

Its events are JSON, `{"id": "evt_1", "fulfillment_id": "ful_…", "step": "shipped", "tracking_number": "…"}`, signed by
the header `X-Signature`: the hexadecimal HMAC-SHA256 of the body with settings.TRACKED_CARRIER_SECRET. Without a
secret, every event is refused.
"""

import hashlib
import hmac
from collections.abc import Mapping
from typing import ClassVar

from django.conf import settings

from fulfillment.providers.base import (
    Booking,
    CannotShip,
    CarrierReport,
    CarrierStep,
    Declined,
    FulfillmentDetails,
    InvalidEvent,
    ParcelLabel,
    Provider,
    Quote,
    Shipment,
)
from kit.values import bounded_json


class Tracked(Provider):
    """One parcel for each fulfillment. Its options have flat prices."""

    books_parcels: ClassVar[bool] = True

    def quote(self, shipment: Shipment) -> Quote:
        raise CannotShip("The provider calculates no prices")

    def create(self, fulfillment: FulfillmentDetails, *, key: str) -> Booking:
        country = fulfillment.address.get("country_code")
        if not country:
            raise Declined("The parcel has no destination")
        countries = fulfillment.option_data.get("countries")
        if isinstance(countries, list) and country not in countries:
            raise Declined(f"No parcels go to {country}")
        number = _tracking_number(key)
        page = fulfillment.option_data.get("tracking_page")
        url = page.replace("{number}", number) if isinstance(page, str) else None
        return Booking([ParcelLabel(number, url)], {"tracking_number": number})

    def cancel(self, fulfillment: FulfillmentDetails, *, key: str) -> None:
        """Nothing outside knows of the parcel."""

    def read_event(self, body: bytes, headers: Mapping[str, str]) -> CarrierReport:
        signature = headers.get("x-signature", "")
        if not settings.TRACKED_CARRIER_SECRET or not hmac.compare_digest(signature.encode(), signed(body).encode()):
            raise InvalidEvent
        try:
            event = bounded_json.parse(body)
            number = event.get("tracking_number")
            return CarrierReport(
                str(event["id"]),
                str(event["fulfillment_id"]),
                CarrierStep(event["step"]),
                [ParcelLabel(str(number))] if number else (),
            )
        except (ValueError, KeyError, AttributeError, TypeError) as error:
            raise InvalidEvent from error


def signed(body: bytes) -> str:
    """The signature of an event's body."""
    return hmac.new(settings.TRACKED_CARRIER_SECRET.encode(), body, hashlib.sha256).hexdigest()


def _tracking_number(key: str) -> str:
    return f"TP{int.from_bytes(hashlib.sha256(key.encode()).digest()[:6]):015d}"
