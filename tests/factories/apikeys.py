"""API keys for tests, issued by the shop's own verb."""

from collections.abc import Collection, Iterable

from apikeys import channel_scope
from apikeys.issuance import IssuedKey, issue
from apikeys.states import KeyType
from kit.domain.actor import SYSTEM
from shop.models import SalesChannel
from staff.models import User
from tests.factories.staff import UserFactory


def publishable_key(*channels: SalesChannel, title: str = "Storefront") -> IssuedKey:
    """A publishable key that opens the channels."""
    issued = issue(actor=SYSTEM, title=title, type=KeyType.PUBLISHABLE)
    _open(issued, channels)
    return issued


def secret_key(
    owner: User | None = None, title: str = "Importer", *, permissions: Collection[str] | None = None
) -> IssuedKey:
    """A secret key of the user, or of a new one without permissions; limited to these permissions, where given."""
    owner = owner or UserFactory()
    return issue(actor=SYSTEM, title=title, type=KeyType.SECRET, created_by=owner.pk, permissions=permissions)


def _open(issued: IssuedKey, channels: Iterable[SalesChannel]) -> None:
    channel_scope.update_channels(actor=SYSTEM, key_id=issued.key.pk, add=[channel.pk for channel in channels])
