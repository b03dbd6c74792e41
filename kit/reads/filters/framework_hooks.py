"""What DRF, django-filter and graphene would let a class define, and nothing here calls.

An ignored hook looks like a rule that holds, so a class that defines one is refused when it is made.
"""

from collections.abc import Mapping
from inspect import getattr_static

from django.core.exceptions import ImproperlyConfigured


def refuse_hooks(cls: type, hooks: Mapping[str, str], *, base: type) -> None:
    """Raise ImproperlyConfigured if the class or one of its mixins defines a hook that its base does not.

    hooks: by name, what to write instead.
    """
    for name, instead in hooks.items():
        if getattr_static(cls, name, None) is not getattr_static(base, name, None):
            raise ignored(cls.__name__, name, instead)


def ignored(where: str, what: str, instead: str) -> ImproperlyConfigured:
    """The error for a definition without an effect. instead: what to write."""
    return ImproperlyConfigured(f"{where}: {what} would have no effect; {instead}")
