"""Who asks: the one value that every verb and every `visible_to` decides by."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Literal

from kit.errors import Forbidden

ActorType = Literal["anonymous", "customer", "user", "system"]
TRUSTED: frozenset[ActorType] = frozenset({"user", "system"})
"""Who may see rows hidden from the store."""


def _nothing(permission: str) -> bool:
    return False


def _everything(permission: str) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Actor:
    """Who asks, and through which sales channels.

    id: the customer's or staff user's id; None for anonymous callers, and for actor-less registration tokens.
    sales_channel_ids: the scope of a store request; never "all".
    through: the id of the API key the request came with, publishable or secret; None without one.
    identity: what a customer has signed in by, there before the customer is; None for all others.
    lent: a permission that `with_permission` has added. own: the actor without it.
    """

    type: ActorType
    id: str | None = None
    sales_channel_ids: tuple[str, ...] = ()
    through: str | None = None
    identity: str | None = None
    permitted: Callable[[str], bool] = field(default=_nothing, compare=False, repr=False)
    lent: str = field(default="", compare=False)
    own: "Actor | None" = field(default=None, compare=False, repr=False)

    def may(self, permission: str) -> bool:
        """Whether the actor holds the Django permission `<app>.<verb>_<model>`."""
        return self.permitted(permission)

    def require(self, permission: str) -> None:
        """Raise Forbidden unless the actor holds the permission."""
        if not self.may(permission):
            raise Forbidden(f"The permission '{permission}' is required")

    def with_permission(self, permission: str) -> "Actor":
        """The same actor, holding that permission besides its own."""
        if self.may(permission):
            return self
        return replace(
            self, permitted=lambda asked: asked == permission or self.permitted(asked), lent=permission, own=self
        )

    @property
    def mark(self) -> str:
        """A text that identifies the caller, as far as callers can be distinguished: `customer:cus_…`."""
        return f"{self.type}:{self.identity or self.id or self.through or ''}"

    @property
    def pk(self) -> str:
        """What DRF's throttle classes count a caller by."""
        return self.mark

    @property
    def is_authenticated(self) -> bool:
        """Whether the caller is somebody, as DRF's permission and throttle classes ask."""
        return self.type != "anonymous"

    @property
    def is_staff(self) -> bool:
        """Whether the caller is of the staff, as DRF's IsAdminUser asks."""
        return self.type == "user"

    @property
    def is_trusted(self) -> bool:
        """Whether rows hidden from the store may be seen: staff and the system, within their permissions."""
        return self.type in TRUSTED


ANONYMOUS = Actor(type="anonymous")
SYSTEM = Actor(type="system", permitted=_everything)
