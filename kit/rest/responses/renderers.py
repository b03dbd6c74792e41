"""Answers as bytes."""

from collections.abc import Mapping
from typing import Any

import orjson
from django.http import HttpResponse
from rest_framework.renderers import BaseRenderer


class JSONRenderer(BaseRenderer):
    """JSON for every Accept header: none is refused. The OpenAPI document reads its media type."""

    media_type = "application/json"
    format = "json"
    charset = None
    render_style = "binary"

    def render(self, data: Any, accepted_media_type: Any = None, renderer_context: Any = None) -> bytes:
        """UTF-8 JSON."""
        return to_json(data)


def to_json(data: Any) -> bytes:
    """JSON-ready data as UTF-8 JSON; stored JSON (orjson.Fragment) goes through unparsed."""
    return orjson.dumps(data)


def json_answer(data: Any, *, status: int = 200, headers: Mapping[str, str] | None = None) -> HttpResponse:
    """JSON-ready data as the server sends it. DRF's Response would take two passes of rendering."""
    return HttpResponse(to_json(data), status=status, content_type="application/json", headers=headers)
