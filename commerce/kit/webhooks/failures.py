"""How a try fails."""


class DeliveryFailed(Exception):
    """Nothing came back that says the event was received.

    reason: in our own words; nothing of an answer is shown. status: of the answer, None if there was none.
    """

    def __init__(self, reason: str, *, status: int | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.status = status
