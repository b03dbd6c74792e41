"""A mail server on loopback that keeps what it takes."""

import socketserver
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage
from threading import Thread


class MailServer(socketserver.ThreadingTCPServer):
    """accepted: the messages, in the order of their arrival. refuses: recipients that get a 550.

    hang_ups: with how many messages it closes the connection instead of taking them.

    on_message: called with a message that is accepted, before the client hears of it.
    """

    allow_reuse_address = True
    daemon_threads = True

    def __init__(self, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), _Session)
        self.accepted: list[EmailMessage] = []
        self.refuses: set[str] = set()
        self.hang_ups = 0
        self.on_message: Callable[[EmailMessage], None] = lambda _: None

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    def wait_for(self, number: int, *, seconds: float = 60) -> float:
        """How many seconds it took until that many messages had come."""
        start = time.monotonic()
        while len(self.accepted) < number:
            assert time.monotonic() - start < seconds, f"only {len(self.accepted)} messages came"
            time.sleep(0.02)
        return time.monotonic() - start


class _Session(socketserver.StreamRequestHandler):
    server: MailServer

    def handle(self) -> None:
        self._say("220 ready")
        while line := self.rfile.readline():
            verb = line.split(maxsplit=1)[0].upper() if line.strip() else b""
            if verb == b"DATA":
                if self.server.hang_ups:
                    self.server.hang_ups -= 1
                    return
                self._take()
            elif verb == b"RCPT" and line.partition(b"<")[2].partition(b">")[0].decode() in self.server.refuses:
                self._say(f"550 no mailbox {line.partition(b'<')[2].partition(b'>')[0].decode()}")
            elif verb == b"QUIT":
                self._say("221 bye")
                return
            else:
                self._say("250 ok")

    def _take(self) -> None:
        self._say("354 go on")
        lines = []
        while (line := self.rfile.readline()) not in (b".\r\n", b""):
            lines.append(line.removeprefix(b".") if line.startswith(b"..") else line)
        message = message_from_bytes(b"".join(lines), policy=policy.default)
        self.server.accepted.append(message)
        self.server.on_message(message)
        self._say("250 taken")

    def _say(self, text: str) -> None:
        self.wfile.write(f"{text}\r\n".encode())


@contextmanager
def mail_server(port: int = 0) -> Iterator[MailServer]:
    """Listens within the block, at a free port or at this one."""
    with MailServer(port) as server:
        Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        yield server
        server.shutdown()
