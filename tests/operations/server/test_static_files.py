"""Static files and pages of the admin site are served compressed, files compressed once."""

import gzip
import os
import re
from http.client import HTTPConnection
from pathlib import Path

import pytest

from commerce.operations.server.static_files import Storage
from tests.operations.server.test_serve import descendants, end_of, port, serving

__all__ = ["port"]

SCRIPT = "/static/admin/js/core.js"


@pytest.mark.once
def test_the_server_sends_them_compressed_to_who_takes_that(port: int, process_environment: dict[str, str]) -> None:
    with serving(port, process_environment) as server:
        plain, packed = (fetched(port, SCRIPT, encoding) for encoding in ("identity", "gzip, br"))
        page, packed_page = (fetched(port, "/admin/login/", encoding) for encoding in ("identity", "gzip, br"))
        children = descendants(server.pid)
        server.terminate()
        assert end_of(server, children)[0] == 0
    assert plain[:3] == (200, None, "Accept-Encoding, origin")
    assert packed[:3] == (200, "gzip", "Accept-Encoding, origin")
    assert gzip.decompress(packed[3]) == plain[3]
    assert b"function" in plain[3]
    assert len(packed[3]) < len(plain[3]) / 2
    assert page[:2] == (200, None)
    assert packed_page[:2] == (200, "gzip")
    assert page[2] == packed_page[2]
    assert {"Accept-Encoding", "Cookie", "origin"} <= {*page[2].split(", ")}
    assert without_token(gzip.decompress(packed_page[3])) == without_token(page[3])
    assert len(packed_page[3]) < len(page[3]) / 2


def fetched(port: int, path: str, encoding: str) -> tuple[int, str | None, str, bytes]:
    """Status, coding, Vary and body of the response, whose length is right."""
    web = HTTPConnection("127.0.0.1", port, timeout=20)
    web.request("GET", path, headers={"Accept-Encoding": encoding})
    answer = web.getresponse()
    body = answer.read()
    web.close()
    assert int(answer.headers["Content-Length"]) == len(body)
    return answer.status, answer.headers["Content-Encoding"], answer.headers["Vary"], body


def without_token(page: bytes) -> bytes:
    """Each page has another mask of the CSRF token."""
    return re.sub(rb'(csrfmiddlewaretoken" value=)"\w+"', rb"\1", page)


def test_what_has_not_changed_is_not_compressed_again(tmp_path: Path) -> None:
    script, picture, sources = (tmp_path / name for name in ("page.js", "tea.png", "page.js.map"))
    for file in (script, picture, sources):
        file.write_bytes(b"tea " * 1000)
    storage = Storage(location=tmp_path)
    names = {file.name: (storage, file.name) for file in (script, picture, sources)}
    assert [made for _, made, _ in storage.post_process(names)] == ["page.js.gz"]
    assert list(storage.post_process(names)) == []
    script.write_bytes(b"coffee " * 1000)
    os.utime(script, (0, 0))
    assert [made for _, made, _ in storage.post_process(names)] == ["page.js.gz"]
    assert gzip.decompress((tmp_path / "page.js.gz").read_bytes()) == b"coffee " * 1000
