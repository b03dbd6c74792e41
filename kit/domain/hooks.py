"""Hooks: what a package calls and an app above it implements.

`commerce/wiring.py` registers the implementations, and `commerce/admin_site.py` those for the admin site's screens.
"""

from typing import Any, Generic, TypeVar

from django.core.exceptions import ImproperlyConfigured

T = TypeVar("T")


class Wired(Generic[T]):
    """One hook: `STORE_SCOPE = Wired[Callable[[HttpRequest], Actor]]("the scope of a publishable key")`.

    purpose: names it in errors.
    """

    registrar = "commerce/wiring.py"
    _value: T

    def __init__(self, purpose: str) -> None:
        self.purpose = purpose
        _hooks.append(self)

    def register(self, value: T) -> None:
        """Set the implementation. Raises ImproperlyConfigured if there is one already."""
        if hasattr(self, "_value"):
            raise ImproperlyConfigured(f"{self.registrar} registers {self.purpose} twice")
        self._value = value

    def get(self) -> T:
        """The implementation. Raises ImproperlyConfigured if none was registered."""
        try:
            return self._value
        except AttributeError:
            raise ImproperlyConfigured(f"{self.registrar} does not register {self.purpose}") from None


class AdminWired(Wired[T]):
    """A hook of the admin site's screens, which not all processes load."""

    registrar = "commerce/admin_site.py"


def require_all() -> None:
    """Raise ImproperlyConfigured for the first hook without an implementation."""
    for hook in _hooks:
        hook.get()


_hooks: list[Wired[Any]] = []
