"""Settings that need a library of an extra."""

from importlib.util import find_spec

from django.core.exceptions import ImproperlyConfigured


def require_extra(variable: str, *, library: str, module: str, extra: str) -> None:
    """Raise ImproperlyConfigured, with the variable that needs it, if the module cannot be imported."""
    try:
        is_installed = find_spec(module) is not None
    except ModuleNotFoundError:  # a package above it is missing
        is_installed = False
    if not is_installed:
        command = f"make install EXTRAS={extra}"
        raise ImproperlyConfigured(f"{variable} is set, but the library {library} is missing: {command}")
