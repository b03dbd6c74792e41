"""Traces of requests for OpenTelemetry. Settings add the middleware only where OTEL_EXPORTER_OTLP_ENDPOINT is set.

A span has the method, the pattern of the route, the status and the request's id: no path, query, header or address.
The libraries' own variables, OTEL_…, choose the exporter's headers, the sampler and the like.
"""

from collections.abc import Callable

import structlog
from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.propagate import extract
from opentelemetry.sdk.resources import OTELResourceDetector, Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import SpanKind, Status, StatusCode

_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


class Tracing:
    """Middleware: a span for each request. Behind a proxy of ours, it continues the trace of `traceparent`."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response
        named = Resource.create({"service.name": "commerce", "service.version": settings.VERSION})
        provider = TracerProvider(resource=named.merge(OTELResourceDetector().detect()))
        provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
        self._tracer = provider.get_tracer("commerce")

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        method = request.method if request.method in _METHODS else "_OTHER"
        parent = extract({"traceparent": request.headers.get("traceparent", "")}) if settings.TRUSTED_PROXIES else None
        with self._tracer.start_as_current_span(f"{method}", context=parent, kind=SpanKind.SERVER) as span:
            response = self._get_response(request)
            span.set_attribute("http.request.method", f"{method}")
            span.set_attribute("http.response.status_code", response.status_code)
            span.set_attribute("request_id", structlog.contextvars.get_contextvars().get("request_id", ""))
            if request.resolver_match:
                span.update_name(f"{method} {request.resolver_match.route}")
                span.set_attribute("http.route", request.resolver_match.route)
            if response.status_code >= 500:
                span.set_status(Status(StatusCode.ERROR))
        return response
