"""Rows for tests that only a shop file can set so."""

from io import StringIO
from tempfile import NamedTemporaryFile
from typing import Any

import orjson
from django.core.management import call_command


def load(**sections: list[dict[str, Any]]) -> None:
    """Load a shop file with these sections. Raises CommandError, which names every problem."""
    with NamedTemporaryFile(suffix=".json") as file:
        file.write(orjson.dumps(sections))
        file.flush()
        call_command("load_shop", file.name, stdout=StringIO())
