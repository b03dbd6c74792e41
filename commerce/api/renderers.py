"""Answers as bytes."""

from typing import Any

import orjson
from rest_framework.renderers import BaseRenderer


class JSONRenderer(BaseRenderer):
    """JSON, whatever the caller's Accept header says (behaviour.md 0.1)."""

    media_type = "application/json"
    format = "json"
    charset = None
    render_style = "binary"

    def render(self, data: Any, accepted_media_type: Any = None, renderer_context: Any = None) -> bytes:
        return to_json(data)


def to_json(data: Any) -> bytes:
    """JSON-ready data as UTF-8 JSON; stored JSON (orjson.Fragment) goes through unparsed."""
    return orjson.dumps(data)
