"""deploy/nginx.conf in a real nginx on high ports, with a certificate of its own, in front of a server."""

import os
import re
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from http.client import HTTPConnection, HTTPMessage
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from tests.packages import ROOT
from tests.plugins.servers import find

HOST = "shop.example"
PATIENCE = 60.0
MAIN = """
daemon off;
{user}
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{}}
http {{
    include /etc/nginx/mime.types;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/shop.conf;
}}
"""


@dataclass(frozen=True)
class Answer:
    status: int
    headers: HTTPMessage
    content: bytes


@dataclass(frozen=True)
class Nginx:
    folder: Path
    plain_port: int
    port: int

    @property
    def log(self) -> str:
        return (self.folder / "shop.log").read_text()

    @cached_property
    def _trust(self) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=self.folder / "fullchain.pem")

    def ask(self, method: str, path: str, body: bytes | None = None, **headers: str) -> Answer:
        """Over TLS, with the certificate checked. Underscores in the names of headers are hyphens."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE) as raw:
            web = HTTPConnection(HOST)
            web.sock = self._trust.wrap_socket(raw, server_hostname=HOST)
            return _answer(web, method, path, body, headers)

    def ask_plainly(self, path: str) -> Answer:
        web = HTTPConnection("127.0.0.1", self.plain_port, timeout=PATIENCE)
        return _answer(web, "GET", path, None, {"Host": HOST})


def _answer(web: HTTPConnection, method: str, path: str, body: bytes | None, headers: Mapping[str, str]) -> Answer:
    web.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
    got = web.getresponse()
    answer = Answer(got.status, got.headers, got.read())
    web.close()
    return answer


@contextmanager
def in_front(
    folder: Path, *, server_port: int, plain_port: int, port: int, second_server: int | None = None
) -> Iterator[Nginx]:
    """nginx, once it listens, by the configuration that operators copy; with the line of a second server, if given."""
    folder.mkdir()
    certify(folder)
    _configure(folder, server_port=server_port, plain_port=plain_port, port=port, second_server=second_server)
    with running(folder, port):
        yield Nginx(folder, plain_port, port)


@contextmanager
def running(folder: Path, port: int) -> Iterator[None]:
    """Nginx with the folder's shop.conf, once it listens at the port."""
    main = MAIN.format(folder=folder, user="user root;" if os.geteuid() == 0 else "")
    (folder / "nginx.conf").write_text(main)
    words = [str(find("nginx")), "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", str(folder / "error.log")]
    tested = subprocess.run([*words, "-t"], capture_output=True, text=True, check=False)
    assert tested.returncode == 0, tested.stderr
    running = subprocess.Popen(words)
    try:
        deadline = time.monotonic() + PATIENCE
        while socket.socket().connect_ex(("127.0.0.1", port)):
            assert running.poll() is None, (folder / "error.log").read_text()
            assert time.monotonic() < deadline
            time.sleep(0.05)
        yield
    finally:
        running.terminate()
        running.wait(timeout=PATIENCE)


def _configure(folder: Path, *, server_port: int, plain_port: int, port: int, second_server: int | None) -> None:
    """The same file with other ports and paths."""
    second = "" if second_server is None else rf"\1 127.0.0.1:{second_server} \2"
    text = (ROOT / "deploy" / "nginx.conf").read_text()
    for pattern, instead in (
        (r"(\n +server) 127\.0\.0\.1:8000 ", rf"\1 127.0.0.1:{server_port} "),
        (r"# (server) 127\.0\.0\.1:8001 (.*)", second),
        (r"listen \[::\].*\n", "\n"),
        (r"listen 80;", f"listen 127.0.0.1:{plain_port};"),
        (r"listen 443 ", f"listen 127.0.0.1:{port} "),
        (r"/etc/letsencrypt/live/shop\.example", str(folder)),
        (r"/var/log/nginx", str(folder)),
        (r"/var/www/html", f"{folder}/acme"),
    ):
        text, count = re.subn(pattern, instead, text)
        assert count, pattern
    (folder / "shop.conf").write_text(text)


def certify(folder: Path) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, HOST)])
    today = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(today - timedelta(days=1))
        .not_valid_after(today + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(HOST)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    (folder / "fullchain.pem").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    private = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    (folder / "privkey.pem").write_bytes(key.private_bytes(*private))
