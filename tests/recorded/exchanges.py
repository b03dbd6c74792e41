"""Requests to a running Medusa and its responses: a JSON file for each app, with an exchange a line."""

import json
from pathlib import Path
from typing import Any


def exchanges(app: str) -> dict[str, Any]:
    """All exchanges of that app, by their names."""
    return dict(json.loads((Path(__file__).parent / f"{app}.json").read_text()))
