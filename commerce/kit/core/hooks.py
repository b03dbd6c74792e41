"""Hooks: what a package calls and an app above it implements. `commerce/wiring.py` registers the implementations."""

from typing import Any, Generic, TypeVar

from django.core.exceptions import ImproperlyConfigured

T = TypeVar("T")


class Wired(Generic[T]):
    """One hook: `STAFF_ACTOR = Wired[Callable[[User], Actor]]("the actor of a staff user")`.

    purpose: names it in errors.
    """

    _value: T

    def __init__(self, purpose: str) -> None:
        self.purpose = purpose
        _hooks.append(self)

    def register(self, value: T) -> None:
        """Set the implementation. Raises ImproperlyConfigured if there is one already."""
        if hasattr(self, "_value"):
            raise ImproperlyConfigured(f"commerce/wiring.py registers {self.purpose} twice")
        self._value = value

    def get(self) -> T:
        """The implementation. Raises ImproperlyConfigured if none was registered."""
        try:
            return self._value
        except AttributeError:
            raise ImproperlyConfigured(f"commerce/wiring.py does not register {self.purpose}") from None


def require_all() -> None:
    """Raise ImproperlyConfigured for the first hook without an implementation."""
    for hook in _hooks:
        hook.get()


_hooks: list[Wired[Any]] = []
