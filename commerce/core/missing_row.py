"""The refusal of an id that names no row."""

from typing import ClassVar

from commerce.core.errors import NotFound
from commerce.core.paging import shown


class RowNotFound(NotFound):
    """Subclasses say what `noun` the message calls it by, and which rows count."""

    noun: ClassVar[str]

    def __init__(self, id: str) -> None:
        super().__init__(f"{self.noun} with id: {shown(id)} was not found")
