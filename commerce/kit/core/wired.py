"""Places for what a package calls and an app above it provides. `commerce/wiring.py` fills them at start."""

from typing import Any, Generic, TypeVar

from django.core.exceptions import ImproperlyConfigured

T = TypeVar("T")


class Wired(Generic[T]):
    """One such place: `STAFF_ACTOR = Wired[Callable[[User], Actor]]("the actor of a staff user")`.

    purpose: names it in errors.
    """

    _value: T

    def __init__(self, purpose: str) -> None:
        self.purpose = purpose
        _places.append(self)

    def enter(self, value: T) -> None:
        """Fill the place. Raises ImproperlyConfigured if it is filled already."""
        if hasattr(self, "_value"):
            raise ImproperlyConfigured(f"commerce/wiring.py enters {self.purpose} twice")
        self._value = value

    def get(self) -> T:
        """What was entered. Raises ImproperlyConfigured if nothing was."""
        try:
            return self._value
        except AttributeError:
            raise ImproperlyConfigured(f"commerce/wiring.py does not enter {self.purpose}") from None


def require_all() -> None:
    """Raise ImproperlyConfigured for the first place that is empty."""
    for place in _places:
        place.get()


_places: list[Wired[Any]] = []
