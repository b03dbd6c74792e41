"""Buttons above one row's form."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

from unfold.decorators import action

Method = TypeVar("Method", bound=Callable[..., Any])


def row_action(*, description: str, permission: str, icon: str) -> Callable[[Method], Method]:
    """Mark the method as such a button; name it in `actions_detail`. It gets the request and the row's quoted id.

    permission: `<app>.<verb>_<model>`, without which there is neither the button nor its address.
    icon: the name of a Material Symbol.
    """
    return cast("Callable[[Method], Method]", action(description=description, permissions=[permission], icon=icon))
