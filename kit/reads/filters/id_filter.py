"""The filter of ids."""

from typing import Any

from kit.errors import shown
from kit.reads.filters.filters import ComparedFilter, Refused


class IdFilter(ComparedFilter):
    """An id. Callers who read a whole list sort it by id and ask for those after the last one: `id[$gt]=…`.

    No page then skips rows, so that the last one costs no more than the first.
    """

    def value(self, raw: Any, *, name: str) -> str:
        if not isinstance(raw, str):
            raise Refused(f"Expected type: 'string' for field '{name}', got: '{shown(raw)}'")
        return raw
