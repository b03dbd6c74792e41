"""Static files are served compressed, and compressed once."""

import gzip
import os
from http.client import HTTPConnection
from pathlib import Path

import pytest

from commerce.operations.static_files import Storage
from tests.operations.test_serve import descendants, end_of, port, serving

__all__ = ["port"]

SCRIPT = "/static/admin/js/core.js"


@pytest.mark.once
def test_the_server_sends_them_compressed_to_who_takes_that(port: int, process_environment: dict[str, str]) -> None:
    answers = {}
    with serving(port, process_environment) as server:
        for encoding in ("gzip, br", "identity"):
            web = HTTPConnection("127.0.0.1", port, timeout=20)
            web.request("GET", SCRIPT, headers={"Accept-Encoding": encoding})
            answer = web.getresponse()
            answers[encoding] = (
                answer.status,
                answer.headers["Content-Encoding"],
                answer.headers["Vary"],
                answer.read(),
            )
            web.close()
        children = descendants(server.pid)
        server.terminate()
        assert end_of(server, children)[0] == 0
    plain = answers["identity"][3]
    assert answers["identity"][:3] == (200, None, "Accept-Encoding, origin")
    assert answers["gzip, br"][:3] == (200, "gzip", "Accept-Encoding, origin")
    assert gzip.decompress(answers["gzip, br"][3]) == plain
    assert b"function" in plain
    assert len(answers["gzip, br"][3]) < len(plain) / 2


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
