"""The types of API keys, and the transitions of their states."""

from django.db.models import TextChoices

from kit.domain.transitions import Transitions


class KeyType(TextChoices):
    """A publishable key selects a storefront's channels; a secret one acts for a staff user."""

    PUBLISHABLE = "publishable"
    SECRET = "secret"  # noqa: S105 - a type, not a secret


LIFE = Transitions(
    of="The API key",
    allowed={
        "active": frozenset({"revoked"}),
        "revoked": frozenset({"deleted"}),
        "deleted": frozenset(),
    },
)
