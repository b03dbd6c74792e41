"""Uploads at the front: the application decides on the head, then the body goes to disk."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kit.server.serving import Tiny, request, tiny_server
from tests.kit.server.tiny import LARGEST_UPLOAD
from tests.waiting import until

pytestmark = pytest.mark.once
GOOD = "X-Key: good"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Tiny]:
    with tiny_server(tmp_path) as running:
        yield running


def head(length: int, *headers: str) -> str:
    return request("POST", "/upload", *headers, f"Content-Length: {length}")


def test_a_body_above_the_usual_limit_reaches_the_application(server: Tiny) -> None:
    body = "x" * LARGEST_UPLOAD
    answer = server.client().ask("POST", "/upload", GOOD, body=body)
    assert (answer.status, answer.json["body"], answer.json["CONTENT_LENGTH"]) == (200, body, str(len(body)))
    assert server.runs() == ["/upload", "/upload"]


def test_a_chunked_body_has_its_length(server: Tiny) -> None:
    client = server.client()
    client.send(request("POST", "/upload", GOOD, "Transfer-Encoding: chunked") + "2\r\nab\r\n1\r\nc\r\n0\r\n\r\n")
    seen = client.answer().json
    assert (seen["body"], seen["CONTENT_LENGTH"]) == ("abc", "3")
    assert "HTTP_TRANSFER_ENCODING" not in seen


def test_what_the_application_refuses_is_answered_before_the_body_comes(server: Tiny) -> None:
    client = server.client()
    client.send(head(LARGEST_UPLOAD))
    answer = client.answer()
    assert (answer.status, answer.headers["x-head"], answer.body) == (401, "1", b"")


@pytest.mark.parametrize("announced", [LARGEST_UPLOAD + 1, 1_000_000_000])
def test_one_that_is_too_large_is_refused_before_it_comes(server: Tiny, announced: int) -> None:
    client = server.client()
    client.send(head(announced, GOOD))
    answer = client.answer()
    assert (answer.status, answer.body) == (413, b"The request body is larger than 3000000 bytes")


def test_one_that_grows_too_large_is_refused(server: Tiny) -> None:
    client = server.client()
    client.send(request("POST", "/upload", GOOD, "Transfer-Encoding: chunked"))
    client.send(f"{LARGEST_UPLOAD + 1:x}\r\n" + "x" * (LARGEST_UPLOAD + 1))
    assert client.answer().status == 413


def test_the_application_may_allow_less(server: Tiny) -> None:
    """What exceeds it is cut off as it arrives, and nothing of it reaches the application."""
    client = server.client()
    client.send(request("POST", "/upload", GOOD, "X-Limit: 10", "Transfer-Encoding: chunked"))
    client.send("a\r\n0123456789\r\n1\r\n0\r\n")
    answer = client.answer()
    assert (answer.status, answer.body) == (413, b"The request body is larger than 10 bytes")
    client = server.client()
    client.send(head(11, GOOD, "X-Limit: 10"))
    assert client.answer().status == 413
    assert server.runs() == ["/upload", "/upload"]
    client = server.client()
    client.send(head(10, GOOD, "X-Limit: 10") + "0123456789")
    assert client.answer().json["body"] == "0123456789"


def test_a_slow_one_is_refused_and_frees_its_place(server: Tiny) -> None:
    client = server.client()
    client.send(head(10, GOOD) + "half")
    assert client.answer().body == b"The request body did not arrive within 1 seconds"
    assert server.client().ask("POST", "/upload", GOOD, body="whole").status == 200


def test_a_second_one_meanwhile_is_refused(server: Tiny) -> None:
    first = server.client()
    first.send(head(10, GOOD) + "half")
    until((server.gate.parent / "slot-0").exists, server.runs)
    refused = server.client().ask("POST", "/upload", GOOD, body="whole")
    assert (refused.status, refused.body) == (503, b"Other files are being uploaded. Try again in a moment")
    first.send("anders")
    assert first.answer().json["body"] == "halfanders"
    assert server.client().ask("POST", "/upload", GOOD, body="whole").status == 200


def test_other_methods_are_no_uploads(server: Tiny) -> None:
    assert server.client().ask("PUT", "/upload", body="x" * 1001).status == 413
