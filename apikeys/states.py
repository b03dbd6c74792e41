"""The kinds of API keys and the life of one."""

from django.db.models import TextChoices

from commerce.kit.core.transitions import Transitions


class KeyType(TextChoices):
    """A publishable key names a storefront's channels, a secret one a staff user."""

    PUBLISHABLE = "publishable"
    SECRET = "secret"  # noqa: S105 - a word, not one


LIFE = Transitions(
    of="The API key",
    allowed={
        "active": frozenset({"revoked"}),
        "revoked": frozenset({"deleted"}),
        "deleted": frozenset(),
    },
)
