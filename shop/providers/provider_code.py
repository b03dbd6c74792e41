"""The code that talks to payment and fulfillment providers. It is the operator's choice, so settings name it."""

from functools import cache
from typing import Any, Final

from django.utils.module_loading import import_string

UNREADABLE: Final = (ValueError, LookupError, TypeError, AttributeError, RecursionError)
"""What a provider's code raises when it parses an event of an unexpected shape."""


@cache
def load_provider(dotted_name: str) -> Any:
    """The provider of that class: one instance serves all requests of the process."""
    return provider_class(dotted_name)()


def provider_class(dotted_name: str) -> Any:
    """What the name stands for, which the start-up check expects to be a class. Raises what its module raises."""
    return import_string(dotted_name)
