"""Where a request ends is never in doubt: no second one is answered that hides in the first."""

import socket
from pathlib import Path

import pytest

from tests.kit.server.serving import HOST, tiny_server
from tests.kit.server.smuggling import outcomes, refused, single

pytestmark = pytest.mark.once


def test_no_second_request_hides_in_a_first(tmp_path: Path) -> None:
    with tiny_server(tmp_path) as server:

        def connect() -> socket.socket:
            return socket.create_connection((HOST, server.port))

        malformed = outcomes(refused, connect)
        assert server.runs() == []
        assert {name: (each.statuses, each.is_closed) for name, each in malformed.items()} == dict.fromkeys(
            malformed, ([400], True)
        )
        sound = outcomes(single, connect)
        assert {name: each.statuses for name, each in sound.items()} == {name: [200] for name in sound}
        assert sorted(server.runs()) == sorted(each.path.replace("second", "first") for each in sound.values())


def test_a_request_has_one_host(tmp_path: Path) -> None:
    with tiny_server(tmp_path) as server:
        for head in ("Host: a.example\r\nHost: b.example\r\n", "Host: a.example, b.example\r\n", "Host:\r\n", ""):
            client = server.client()
            client.send(f"GET /any HTTP/1.1\r\n{head}\r\n")
            assert client.answer().status == 400
            assert client.is_closed()
        assert server.runs() == []
        client = server.client()
        client.send("GET /old HTTP/1.0\r\n\r\n")
        assert client.answer().status == 200
