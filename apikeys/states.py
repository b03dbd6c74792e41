"""The kinds of API keys and the life of one."""

from django.db.models import TextChoices

from commerce.core.transitions import Transitions


class KeyType(TextChoices):
    PUBLISHABLE = "publishable"
    SECRET = "secret"


LIFE = Transitions(
    of="The API key",
    allowed={
        "active": frozenset({"revoked"}),
        "revoked": frozenset({"deleted"}),
        "deleted": frozenset(),
    },
)
