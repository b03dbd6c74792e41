"""What the API keys refuse."""

from collections.abc import Iterable

from commerce.kit.core.errors import InvalidData, NotAllowed
from commerce.kit.core.missing_row import RowNotFound, missing


class ApiKeyNotFound(RowNotFound):
    """No key with that id, or a deleted one."""

    noun = "API key"


class SecretKeyNeedsOwner(InvalidData):
    """A secret key acts with the permissions of a staff user; the system has none to lend."""

    def __init__(self) -> None:
        super().__init__("Field 'created_by' is required: a secret key acts for a staff user")


class OwnKeysOnly(NotAllowed):
    """Issuing a secret key for another would be borrowing their permissions."""

    def __init__(self) -> None:
        super().__init__("API keys can only be issued in one's own name")


class PublishableOnly(NotAllowed):
    """Only publishable keys carry a scope."""

    def __init__(self) -> None:
        super().__init__("Sales channels can only be associated with publishable API keys")


class UnknownSalesChannels(InvalidData):
    """The ids name no sales channel."""

    def __init__(self, ids: Iterable[str]) -> None:
        super().__init__(missing("Sales channel", *sorted(ids)))
