"""The errors of webhooks."""

from kit.domain.missing_row import RowNotFound
from kit.errors import Duplicate, NotAllowed


class WebhookAddressNotFound(RowNotFound):
    """No address with that id, or a deleted one."""

    noun = "Webhook endpoint"


class AddressTaken(Duplicate):
    """Two addresses with one URL would receive each event twice."""

    def __init__(self, url: str) -> None:
        super().__init__(f"There is already a webhook endpoint with url: {url}")


class TooManyWebhookEndpoints(NotAllowed):
    """Each address costs a thread and a request for every event."""

    def __init__(self, most: int) -> None:
        super().__init__(f"There can be at most {most} webhook endpoints")


class AddressDisabled(NotAllowed):
    """Nothing is sent to an endpoint that is disabled."""

    message = "The webhook endpoint is disabled. Enable it first"
