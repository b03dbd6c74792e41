"""nginx and the server agree where each request ends: the server answers no request that nginx did not pass on."""

import re
import socket
import ssl
from pathlib import Path

import pytest

from tests.deploy.nginx import HOST, Nginx, in_front
from tests.kit.server.serving import Tiny, tiny_server
from tests.kit.server.smuggling import outcomes, refused, single
from tests.ports import free_port
from tests.waiting import until

pytestmark = [pytest.mark.once, pytest.mark.servers("nginx")]
PASSED_ON = re.compile(r'"(?:GET|POST) (\S+)" \d{3} \d+ [\d.]+ 127\.0\.0\.1:\d+ ')
UNBUFFERED = "/admin/uploads"
"""Of these, nginx passes on the chunks as they come."""


def agreed(nginx: Nginx, server: Tiny) -> list[str]:
    """The paths that nginx has passed on, once its log has them, which are those that the server has answered."""
    until(lambda: sorted(PASSED_ON.findall(nginx.log)) == sorted(server.runs()), lambda: (nginx.log, server.runs()))
    return server.runs()


def test_no_request_reaches_the_server_unseen_by_nginx(tmp_path: Path) -> None:
    plain, port = free_port(), free_port()
    (tmp_path / "server").mkdir()
    with (
        tiny_server(tmp_path / "server") as server,
        in_front(tmp_path / "nginx", server_port=server.port, plain_port=plain, port=port) as nginx,
    ):
        trust = ssl.create_default_context(cafile=nginx.folder / "fullchain.pem")

        def connect() -> socket.socket:
            return trust.wrap_socket(socket.create_connection(("127.0.0.1", port)), server_hostname=HOST)

        outcomes(refused, connect)
        agreed(nginx, server)
        sound = outcomes(single, connect)
        ran = agreed(nginx, server)
        for name, each in sound.items():
            assert each.path not in ran, name
            assert each.path.replace("second", "first") in ran or each.statuses == [400], name

        def unbuffered(path: str) -> dict[str, str]:
            return {
                name: text.replace(path.replace("second", "first"), UNBUFFERED, 1)
                for name, text in {**refused(path), **single(path)}.items()
            }

        outcomes(unbuffered, connect)
        agreed(nginx, server)
