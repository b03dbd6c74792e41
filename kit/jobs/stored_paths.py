"""Keeps the import path under which a task is stored after its module has moved."""

from collections.abc import Callable
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])


def stored_in(module: str) -> Callable[[Function], Function]:
    """Store the task under its former module, so that servers of the previous version can run it.

    module: its dotted name. It must still import the task, so that waiting rows and servers of this version find it.
    Why: docs/decisions/structure.md#old-import-paths-still-work.
    """

    def renamed(function: Function) -> Function:
        function.__module__ = module
        return function

    return renamed
