"""Columns that show a value as a coloured label."""

from collections.abc import Callable, Mapping
from typing import TypeVar, cast

from unfold.decorators import display

Method = TypeVar("Method", bound=Callable[..., object])


def label_column(*, description: str, colours: Mapping[str, str]) -> Callable[[Method], Method]:
    """Mark the method as such a column.

    colours: success, info, warning or danger by value; other values are grey.
    """
    return cast("Callable[[Method], Method]", display(description=description, label=dict(colours)))
