"""The paths by which rows of the queue name tasks, where they are not those of their modules."""

from collections.abc import Callable
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])


def stored_in(module: str) -> Callable[[Function], Function]:
    """Let the task below be stored as one of that module, which imports it from here.

    module: the dotted name of the module that the task was in before. Rows that wait under that path are run, and
    servers of the version before run those that this one stores.
    Why: docs/decisions/structure.md#old-addresses-stay-for-one-release.
    """

    def renamed(function: Function) -> Function:
        function.__module__ = module
        return function

    return renamed
