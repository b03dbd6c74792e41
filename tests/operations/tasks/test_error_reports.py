"""What a server sends to Sentry and to OpenTelemetry: errors and requests by their route, and no value of anybody's."""

from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest
import sentry_sdk
from django.db import connection
from django_tasks import task
from django_tasks.signals import task_finished
from django_tasks_db.models import DBTaskResult
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status

from commerce.operations.tasks import task_reports
from commerce.operations.tasks.queue_worker import QueueWorker
from commerce.operations.tasks.task_reports import report_failed_tasks
from kit.jobs.queues import URGENT
from kit.observability.error_reports import start_reports
from kit.values.ids import new_id
from tests.concurrency.running_server import RunningServer, Sent, running_server
from tests.factories.apikeys import publishable_key
from tests.operations.collector import Collector, collecting

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.once]
REQUEST_ID = "request-42"


@pytest.fixture
def collector() -> Iterator[Collector]:
    with collecting() as one:
        yield one


@pytest.fixture
def environment(process_environment: dict[str, str], collector: Collector) -> dict[str, str]:
    return {
        **process_environment,
        "COMMERCE_ENV": "development",
        "TRUSTED_PROXIES": "1",
        "SENTRY_DSN": f"http://key@127.0.0.1:{collector.port}/42",
        "OTEL_EXPORTER_OTLP_ENDPOINT": f"http://127.0.0.1:{collector.port}",
        "OTEL_BSP_SCHEDULE_DELAY": "100",
    }


@pytest.fixture
def server(environment: dict[str, str], tmp_path: Path) -> Iterator[RunningServer]:
    headers = {"x-publishable-api-key": publishable_key().token, "X-Request-Id": REQUEST_ID}
    with running_server(environment, log=tmp_path / "log", headers=headers, workers=1) as one:
        yield one


def attributes(span: Span) -> dict[str, object]:
    return {each.key: each.value.string_value or each.value.int_value for each in span.attributes}


def test_a_request_that_fails(server: RunningServer, collector: Collector) -> None:
    cart_id = new_id("cart")
    trace, parent = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE carts_cart RENAME TO carts_elsewhere")
    try:
        headers = {**server.headers, "traceparent": f"00-{trace}-{parent}-01", "Cookie": "who=ann@example.com"}
        answer = server.send(Sent(f"/store/carts/{cart_id}?fields=id,email", headers=headers, method="GET"))
    finally:
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE carts_elsewhere RENAME TO carts_cart")
    assert answer.status == 500
    collector.wait(events=1)
    (event,) = collector.events
    assert (event["transaction"], event["tags"]) == (
        "store/carts/<str:id>",
        {"method": "GET", "request_id": REQUEST_ID},
    )
    assert [each["type"] for each in event["exception"]["values"]] == ["UndefinedTable", "ProgrammingError"]
    frames = event["exception"]["values"][-1]["stacktrace"]["frames"]
    assert any(frame["filename"].startswith("kit/reads/") for frame in frames)
    assert not any("vars" in frame for frame in frames)
    span = collector.span("carts")
    assert (span.name, span.status.code) == ("GET store/carts/<str:id>", Status.STATUS_CODE_ERROR)
    assert (span.trace_id.hex(), span.parent_span_id.hex()) == (trace, parent)
    assert attributes(span) == {
        "http.request.method": "GET",
        "http.response.status_code": 500,
        "request_id": REQUEST_ID,
        "http.route": "store/carts/<str:id>",
    }
    sent = b"".join(collector.bodies)
    for secret in (
        cart_id,
        "ann@",
        "id,email",
        "carts_cart",
        f":{server.port}",
        server.headers["x-publishable-api-key"],
    ):
        assert secret.encode() not in sent


@task(queue_name=URGENT)
def fails(email: str) -> None:
    raise ValueError(f"{email} has no account")


def test_a_task_that_fails(collector: Collector) -> None:
    start_reports(f"http://key@127.0.0.1:{collector.port}/42", release="1", environment="test")
    report_failed_tasks()
    try:
        fails.enqueue("ann@example.com")
        QueueWorker([URGENT], Event(), worker_id="any", idle_seconds=0.1).run()
        collector.wait(events=1)
    finally:
        task_finished.disconnect(task_reports._report)
        sentry_sdk.get_client().close()
    assert DBTaskResult.objects.get().status == "FAILED"
    (event,) = collector.events
    assert event["transaction"] == f"{__name__}.fails"
    assert [(each["type"], "value" in each) for each in event["exception"]["values"]] == [("ValueError", False)]
    assert b"ann@" not in b"".join(collector.bodies)


def test_an_error_that_is_logged_without_a_request(collector: Collector) -> None:
    """As by the threads of background work; warnings are not reported."""
    watch = start_reports(f"http://key@127.0.0.1:{collector.port}/42", release="1", environment="test")
    line = {"event": "background_work_failed", "exc_info": ValueError("ann@example.com"), "work": "mails"}
    try:
        watch(None, "warning", {**line, "level": "warning"})
        watch(None, "error", {**line, "level": "error"})
        collector.wait(events=1)
    finally:
        sentry_sdk.get_client().close()
    assert [event["transaction"] for event in collector.events] == ["mails"]
