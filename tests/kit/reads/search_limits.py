"""What counts as few matches of a search, and as a page far behind."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from kit.reads import reading
from kit.reads.lists import search_pages, search_parts


@contextmanager
def search_limits(few: int, far: int) -> Iterator[None]:
    """Change both. Statements are compiled again, since those that are kept contain the limits."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search_parts, "FEW", few)
        patch.setattr(search_pages, "FAR", far)
        reading._kept_statement.cache_clear()
        yield
    reading._kept_statement.cache_clear()
