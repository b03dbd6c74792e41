"""The front in a running granian: what reaches the WSGI application, and what never does."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from itertools import islice
from pathlib import Path

import pytest

from tests.kit.server import tiny
from tests.kit.server.serving import PATIENCE, Tiny, request, tiny_server
from tests.waiting import until

pytestmark = pytest.mark.once
BUSY = b"The server is busy. You may retry the request with its Idempotency-Key"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Tiny]:
    with tiny_server(tmp_path) as running:
        yield running


def test_a_request_reaches_the_application_as_wsgi_has_it(server: Tiny) -> None:
    seen = server.client().ask("POST", "/a%20b/%C3%A9?q=%20x", "X-Key: k", body='{"a": 1}').json
    assert seen["REQUEST_METHOD"] == "POST"
    assert seen["PATH_INFO"] == "/a b/é".encode().decode("latin-1")
    assert seen["QUERY_STRING"] == "q=%20x"
    assert (seen["SERVER_PROTOCOL"], seen["wsgi.url_scheme"]) == ("HTTP/1.1", "http")
    assert (seen["REMOTE_ADDR"], seen["SERVER_NAME"]) == ("127.0.0.1", "127.0.0.1")
    assert (seen["HTTP_HOST"], seen["HTTP_X_KEY"]) == ("tiny.example", "k")
    assert (seen["CONTENT_LENGTH"], seen["body"]) == ("8", '{"a": 1}')
    assert "PATH" not in seen  # nor anything else of the process's own environment


def test_headers_cannot_be_forged_by_their_twins(server: Tiny) -> None:
    seen = server.client().ask("GET", "/", "X_Forwarded_For: 10.0.0.1", "X-Key: a", "X-Key: b").json
    assert "HTTP_X_FORWARDED_FOR" not in seen
    assert seen["HTTP_X_KEY"] == "a,b"


def test_repeated_cookies_are_joined_as_cookies(server: Tiny) -> None:
    assert server.client().ask("GET", "/", "Cookie: a=1", "Cookie: b=2").json["HTTP_COOKIE"] == "a=1; b=2"


def test_a_header_that_is_not_ascii_is_there_and_empty(server: Tiny) -> None:
    assert server.client().ask("GET", "/", "Idempotency-Key: ключ").json["HTTP_IDEMPOTENCY_KEY"] == ""


def test_bad_encoding_in_a_path_arrives_as_no_path_there_is(server: Tiny) -> None:
    seen = server.client().ask("GET", "/a%FFb?x=%FF").json
    assert seen["PATH_INFO"].encode("latin-1").decode() == "/a\N{REPLACEMENT CHARACTER}b"
    assert seen["QUERY_STRING"] == "x=%FF"


def test_a_chunked_body_reaches_the_application_with_its_length(server: Tiny) -> None:
    client = server.client()
    client.send(request("POST", "/", "Transfer-Encoding: chunked") + "2\r\n{}\r\n1\r\n \r\n0\r\n\r\n")
    seen = client.answer().json
    assert (seen["body"], seen["CONTENT_LENGTH"]) == ("{} ", "3")
    assert "HTTP_TRANSFER_ENCODING" not in seen
    assert client.ask("GET", "/again").status == 200


@pytest.mark.parametrize(
    "rest", ["Content-Length: 2000\r\n\r\n", f"Transfer-Encoding: chunked\r\n\r\n7D0\r\n{'x' * 2000}\r\n0\r\n\r\n"]
)
def test_a_large_body_is_refused_before_the_application(server: Tiny, rest: str) -> None:
    client = server.client()
    client.send(f"POST /large HTTP/1.1\r\nHost: tiny.example\r\n{rest}")
    answer = client.answer()
    assert (answer.status, answer.body) == (413, b"The request body is larger than 1000 bytes")
    assert server.runs() == []


@pytest.mark.parametrize("rest", ["Content-Length: 9\r\n\r\n{", "Transfer-Encoding: chunked\r\n\r\n9\r\n{"])
def test_half_a_body_is_answered_408_and_its_connection_closed(server: Tiny, rest: str) -> None:
    client = server.client()
    client.send(f"POST /half HTTP/1.1\r\nHost: tiny.example\r\n{rest}")
    answer = client.answer()
    assert (answer.status, answer.body) == (408, b"The request body did not arrive within 1 seconds")
    assert client.is_closed()
    assert server.runs() == []


def test_half_bodies_hold_no_thread(server: Tiny) -> None:
    for _ in range(20):
        server.client().send("POST /half HTTP/1.1\r\nHost: tiny.example\r\nContent-Length: 9\r\n\r\n{")
    assert server.client().ask("GET", "/whole").status == 200
    assert server.runs() == ["/whole"]


def test_a_body_that_its_client_cuts_off_is_not_served(server: Tiny) -> None:
    client = server.client()
    client.send("POST /cut HTTP/1.1\r\nHost: tiny.example\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n")
    client.hang_up()
    assert server.client().ask("GET", "/next").status == 200
    assert server.runs() == ["/next"]


def test_head_and_options(server: Tiny) -> None:
    client = server.client()
    head = client.ask("HEAD", "/?large")
    assert (head.status, head.headers["content-length"]) == (200, str(tiny.LARGE))
    assert client.ask("OPTIONS", "/x").json["REQUEST_METHOD"] == "OPTIONS"


def test_pipelined_requests_are_answered_in_their_order(server: Tiny) -> None:
    client = server.client()
    client.send(request("POST", "/1", body="one") + request("GET", "/2") + request("POST", "/3", body="three"))
    seen = [client.answer().json for _ in range(3)]
    assert [(each["PATH_INFO"], each["body"]) for each in seen] == [("/1", "one"), ("/2", ""), ("/3", "three")]


def test_large_answers_and_files_are_sent_whole(server: Tiny) -> None:
    client = server.client()
    assert client.ask("GET", "/?large").body == b"x" * tiny.LARGE
    assert client.ask("GET", "/?file").body == Path(tiny.__file__).read_bytes()
    assert client.ask("HEAD", "/?file").headers["content-length"] == str(Path(tiny.__file__).stat().st_size)
    assert client.ask("GET", "/again").status == 200


def test_a_failing_application_is_a_500_and_costs_no_thread(server: Tiny) -> None:
    client = server.client()
    assert [client.ask("GET", f"/{turn}?fail").status for turn in range(4)] == [500] * 4
    assert client.ask("GET", "/well").status == 200


def test_expensive_requests_leave_a_thread_to_the_others(server: Tiny) -> None:
    expensive = [server.client() for _ in range(5)]
    for client in expensive:
        client.send(request("GET", "/expensive?hold"))
    assert server.client().ask("GET", "/other").status == 200
    server.gate.touch()
    assert [client.answer().status for client in expensive] == [200] * 5


def test_who_hangs_up_while_waiting_is_dropped_from_the_queue(server: Tiny) -> None:
    server.client().send(request("GET", "/expensive/first?hold"))
    server.wait_for_runs("/expensive/first")
    gone = [server.client() for _ in range(5)]
    for client in gone:
        client.send(request("GET", "/expensive/gone"))
    for client in gone:  # the server has seen it all once it has answered somebody else
        assert server.client().ask("GET", "/between").status == 200
        client.hang_up()
    stays = server.client()
    stays.send(request("GET", "/expensive/stays"))
    for _ in range(20):  # the last hang-ups may be seen a little later than other requests
        assert server.client().ask("GET", "/between").status == 200
    server.gate.touch()
    assert stays.answer().status == 200
    assert "/expensive/gone" not in server.runs()


def test_a_full_queue_is_answered_503(server: Tiny) -> None:
    server.client().send(request("GET", "/hash/first?hold"))
    server.wait_for_runs("/hash/first")
    with ThreadPoolExecutor(4) as crowd:
        sent = [crowd.submit(server.client().ask, "GET", "/hash") for _ in range(4)]
        refused = [one.result() for one in islice(as_completed(sent, PATIENCE), 3)]
        assert {(answer.status, answer.body) for answer in refused} == {(503, BUSY)}
        assert server.client().ask("GET", "/other").status == 200
        server.gate.touch()
    assert sorted(one.result().status for one in sent) == [200, 503, 503, 503]


def test_in_a_full_queue_another_client_takes_the_place_of_who_has_most(tmp_path: Path) -> None:
    with tiny_server(tmp_path, TINY_WAITING="2") as server:
        server.client().send(request("GET", "/hash/first?hold"))
        server.wait_for_runs("/hash/first")
        with ThreadPoolExecutor(4) as crowd:
            many = [crowd.submit(server.client().ask, "GET", "/hash/many", "X-Client: many") for _ in range(3)]
            first = next(as_completed(many, PATIENCE)).result()
            few = crowd.submit(server.client().ask, "GET", "/hash/few", "X-Client: few")
            second, *_ = [one for one in islice(as_completed(many, PATIENCE), 2) if one.result() is not first]
            assert (first.status, second.result().status, second.result().body) == (503, 503, BUSY)
            server.gate.touch()
        assert few.result().status == 200
        assert server.runs() == ["/hash/first", "/hash/many", "/hash/few"]


def test_who_waits_too_long_is_answered_503_and_never_served(tmp_path: Path) -> None:
    with tiny_server(tmp_path, TINY_PATIENCE="0.2") as server:
        first = server.client()
        first.send(request("GET", "/expensive/first?hold"))
        server.wait_for_runs("/expensive/first")
        late = server.client().ask("GET", "/expensive/late")
        assert (late.status, late.body) == (503, BUSY)
        server.gate.touch()
        assert first.answer().status == 200  # its thread is free
        assert server.client().ask("GET", "/expensive/next").status == 200
        assert server.runs() == ["/expensive/first", "/expensive/next"]


def test_a_stop_ends_what_runs_and_waits_for_no_half_body(tmp_path: Path) -> None:
    with tiny_server(tmp_path) as server:
        running, half = server.client(), server.client()
        running.send(request("GET", "/running?hold"))
        server.wait_for_runs("/running")
        half.send("POST /half HTTP/1.1\r\nHost: tiny.example\r\nContent-Length: 9\r\n\r\n{")
        server.process.terminate()
        assert half.answer().status == 408
        server.gate.touch()
        assert running.answer().status == 200
        until(lambda: server.process.poll() is not None, server.process.poll)
        assert server.process.returncode == 0


def test_before_a_stop_every_connection_ends_with_an_answer(tmp_path: Path) -> None:
    with tiny_server(tmp_path, TINY_DRAIN="5") as server:
        running, *kept = (server.client() for _ in range(4))
        running.send(request("GET", "/running?hold"))
        server.wait_for_runs("/running")
        assert all("connection" not in client.ask("GET", "/before").headers for client in kept)
        server.process.terminate()
        until(lambda: server.client().ask("GET", "/new").headers.get("connection") == "close", server.runs)
        reading, writing, sending_file = kept
        last = [
            reading.ask("GET", "/after"),
            writing.ask("POST", "/after", body="1"),
            sending_file.ask("GET", "/f?file"),
        ]
        assert [(answer.status, answer.headers["connection"]) for answer in last] == [(200, "close")] * 3
        assert last[1].json["body"] == "1"
        assert all(client.is_closed() for client in kept)
        server.gate.touch()
        assert running.answer().status == 200
        until(lambda: server.process.poll() is not None, server.process.poll)
        assert server.process.returncode == 0
