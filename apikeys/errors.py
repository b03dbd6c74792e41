"""The errors of API keys."""

from collections.abc import Iterable

from kit.domain.missing_row import RowNotFound, missing
from kit.errors import Forbidden, InvalidData, NotAllowed


class ApiKeyNotFound(RowNotFound):
    """No key with that id, or a deleted one."""

    noun = "API key"


class SecretKeyNeedsOwner(InvalidData):
    """A secret key acts with the permissions of a staff user, so it needs one."""

    message = "Field 'created_by' is required: a secret key acts for a staff user"


class OwnKeysOnly(NotAllowed):
    """A key issued for another user would have that user's permissions."""

    message = "API keys can only be issued in one's own name"


class PermissionNotHeld(Forbidden):
    """A key never has more than its creator."""

    def __init__(self, permission: str) -> None:
        super().__init__(f"The key cannot be given the permission '{permission}': its creator does not have it")


class PermissionsOfPublishableKey(InvalidData):
    """A publishable key has no permissions that could be limited."""

    message = "Only secret API keys can be limited to permissions"


class PublishableOnly(NotAllowed):
    """Only publishable keys have sales channels."""

    message = "Sales channels can only be associated with publishable API keys"


class UnknownSalesChannels(InvalidData):
    """No sales channels have these ids."""

    def __init__(self, ids: Iterable[str]) -> None:
        super().__init__(missing("Sales channel", *sorted(ids)))
