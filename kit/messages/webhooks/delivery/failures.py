"""The failure of a delivery."""


class DeliveryFailed(Exception):
    """The receiver has not confirmed the event.

    reason: never contains any of the response. status: of the response; None if there was none.
    """

    def __init__(self, reason: str, *, status: int | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.status = status
