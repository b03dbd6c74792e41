"""Buttons above one row's form, or above a list."""

from collections.abc import Callable
from typing import TypeVar, cast

from unfold.decorators import action

Method = TypeVar("Method", bound=Callable[..., object])


def row_action(*, description: str, icon: str, name: str = "") -> Callable[[Method], Method]:
    """Mark the method as such a button; name it in `actions_detail`. It gets the request and the row's quoted id.

    Named in `actions_list` it stands above the list, and it and its permission get the request alone.
    Without `has_<method>_permission(request, object_id)` there is neither the button nor its address. (The theme would
    take a permission's own name as well; its system check then reads a table that a new database does not have yet.)
    icon: the name of a Material Symbol. name: of a function that is made for several buttons.
    """

    def mark(method: Method) -> Method:
        method.__name__ = name or method.__name__
        return cast("Method", action(method, description=description, permissions=[method.__name__], icon=icon))

    return mark
