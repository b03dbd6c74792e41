"""One try over HTTP: where it connects, and what it takes from a hostile or broken receiver. Real sockets."""

import datetime as dt
import socket
import ssl
import time
from collections.abc import Callable, Iterator
from ipaddress import ip_address
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from pytest_django import Settings

from kit.messages.webhooks.delivery import exchange, posting
from kit.messages.webhooks.delivery.bounded_socket import BoundedSocket
from kit.messages.webhooks.delivery.exchange import tls_context
from kit.messages.webhooks.delivery.failures import DeliveryFailed
from kit.messages.webhooks.delivery.posting import post
from kit.messages.webhooks.endpoints.targets import target_of
from tests.kit.messages.webhooks.receiver import Handler, Receiver, receiving

pytestmark = pytest.mark.once

NAME, PUBLIC = "hooks.example", "93.184.216.34"
Lookup = Callable[..., list[Any]]


def fails(url: str) -> DeliveryFailed:
    with pytest.raises(DeliveryFailed) as failed:
        post(target_of(url), b"{}", {})
    return failed.value


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exchange, "CONNECT_SECONDS", 0.3)
    monkeypatch.setattr(posting, "SECONDS", 0.6)


class Network:
    """The look-ups and connections that are made. Each connection ends at the receiver, wherever it was to go."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.answers: list[list[str]] = []
        self.looked_up: list[str] = []
        self.connected: list[Any] = []
        self.port = 0
        connect = socket.socket.connect

        def look_up(host: str, port: int, *_: Any, **__: Any) -> list[Any]:
            self.looked_up.append(host)
            return [_listed(address, port) for address in self.answers.pop(0)]

        def connect_here(connecting: socket.socket, address: Any) -> None:
            self.connected.append(address)
            connect(connecting, ("127.0.0.1", self.port))

        monkeypatch.setattr(socket, "getaddrinfo", look_up)
        monkeypatch.setattr(socket.socket, "connect", connect_here)


def _listed(address: str, port: int) -> Any:
    family = socket.AF_INET if ip_address(address).version == 4 else socket.AF_INET6
    return (family, socket.SOCK_STREAM, 6, "", (address, port))


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> Network:
    return Network(monkeypatch)


@pytest.fixture
def certificate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ssl.SSLContext]:
    """A server's context with a certificate for NAME, which clients trust during the test."""
    key, subject = ec.generate_private_key(ec.SECP256R1()), x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, NAME)])
    moment = dt.datetime.now(dt.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(moment - dt.timedelta(days=1))
        .not_valid_after(moment + dt.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(NAME)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    path = tmp_path / "server.pem"
    plain = serialization.NoEncryption()
    private = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain)
    path.write_bytes(private + made.public_bytes(serialization.Encoding.PEM))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(path)
    monkeypatch.setenv("SSL_CERT_FILE", str(path))
    tls_context.cache_clear()
    yield context
    tls_context.cache_clear()


class TestTheConnection:
    def test_it_goes_to_the_address_that_was_judged_and_tls_is_checked_for_the_name(
        self, network: Network, certificate: ssl.SSLContext
    ) -> None:
        """A name that leads elsewhere at a second look-up is looked up once."""
        named: list[str | None] = []
        certificate.sni_callback = lambda _, name, __: named.append(name)
        network.answers = [[PUBLIC], ["127.0.0.1"]]
        with receiving(tls=certificate) as receiver:
            network.port = receiver.port
            assert post(target_of(f"https://{NAME}/hooks?a=1"), b'{"a":1}', {"webhook-id": "evt_1"}) == 204
        assert (network.looked_up, network.connected) == ([NAME], [(PUBLIC, 443)])
        assert named == [NAME]
        (request,) = receiver.requests
        assert (request.path, request.body) == ("/hooks?a=1", b'{"a":1}')
        assert (request.headers["host"], request.headers["webhook-id"]) == (NAME, "evt_1")

    def test_a_certificate_for_another_name_is_refused(self, network: Network, certificate: ssl.SSLContext) -> None:
        network.answers = [[PUBLIC]]
        with receiving(tls=certificate) as receiver:
            network.port = receiver.port
            assert fails("https://other.example/").reason == "The TLS certificate is not valid for the host"
        assert receiver.requests == []

    def test_a_certificate_that_nobody_trusts_is_refused(
        self, network: Network, certificate: ssl.SSLContext, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.delenv("SSL_CERT_FILE")
        tls_context.cache_clear()
        network.answers = [[PUBLIC]]
        with receiving(tls=certificate) as receiver:
            network.port = receiver.port
            assert fails(f"https://{NAME}/").reason == "The TLS certificate is not valid for the host"
        assert receiver.requests == []

    @pytest.mark.parametrize(
        "answer",
        [
            ["127.0.0.1"],
            ["10.0.0.7"],
            ["169.254.169.254"],
            ["100.64.0.1"],
            ["::1"],
            ["::ffff:93.184.216.34"],
            ["64:ff9b::7f00:1"],
            [PUBLIC, "127.0.0.1"],
            ["127.0.0.1", PUBLIC],
        ],
    )
    def test_a_name_with_any_address_that_is_not_public_is_not_connected_to(
        self, network: Network, answer: list[str]
    ) -> None:
        network.answers = [answer]
        assert fails(f"https://{NAME}/").reason == "The host has an address that is not public"
        assert network.connected == []

    @pytest.mark.parametrize("host", ["2130706433", "0x7f000001", "017700000001", "127.1", "localhost", "0"])
    def test_odd_spellings_of_this_machine_are_not_connected_to(self, host: str) -> None:
        """By the real look-up, which understands them."""
        assert fails(f"https://{host}/").reason in (
            "The host has an address that is not public",
            "The name of the host could not be resolved",
        )

    def test_a_name_that_cannot_be_resolved(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def unknown(*_: Any, **__: Any) -> None:
            raise socket.gaierror

        monkeypatch.setattr(socket, "getaddrinfo", unknown)
        assert fails(f"https://{NAME}/").reason == "The name of the host could not be resolved"

    def test_a_look_up_that_hangs_is_left_behind(self, monkeypatch: pytest.MonkeyPatch, hurried: None) -> None:
        is_over = Event()
        monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: is_over.wait(60) and [])
        assert fails(f"https://{NAME}/").reason == "The name of the host was not resolved in time"
        is_over.set()

    def test_the_next_address_is_tried_where_the_first_does_not_answer(
        self, network: Network, receiver: Receiver
    ) -> None:
        network.answers, network.port = [["2606:2800:220:1::1", PUBLIC]], receiver.port
        assert post(target_of(f"http://{NAME}/"), b"{}", {}) == 204
        assert [address[0] for address in network.connected] == ["2606:2800:220:1::1", PUBLIC]

    def test_proxies_of_the_environment_are_not_used(self, receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
        for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "all_proxy"):
            monkeypatch.setenv(name, "http://127.0.0.1:9")
        assert post(target_of(receiver.url), b"{}", {}) == 204

    def test_nobody_listens(self, local: None) -> None:
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            assert fails(f"http://127.0.0.1:{taken.getsockname()[1]}/").reason == "The connection was refused"

    def test_the_url_leads_to_this_machine_in_development_alone(self, receiver: Receiver, settings: Settings) -> None:
        target = target_of(receiver.url)
        settings.WEBHOOKS_TO_LOCAL_ADDRESSES = False
        with pytest.raises(DeliveryFailed, match="not public"):
            post(target, b"{}", {})
        assert receiver.requests == []


class TestTheAnswer:
    @pytest.mark.parametrize("status", [200, 201, 202, 204, 299])
    def test_every_2xx_says_that_it_was_received(self, receiver: Receiver, status: int) -> None:
        receiver.answer = status
        assert post(target_of(receiver.url), b"{}", {}) == status

    @pytest.mark.parametrize("status", [400, 401, 404, 410, 429, 500, 503])
    def test_others_do_not(self, receiver: Receiver, status: int) -> None:
        receiver.answer = status
        failed = fails(receiver.url)
        assert (failed.reason, failed.status) == (f"Answered with status {status}", status)

    @pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
    def test_a_redirect_is_not_followed(self, receiver: Receiver, status: int) -> None:
        def redirect(handler: Handler) -> None:
            handler.send_response(status)
            handler.send_header("location", f"{receiver.url}/elsewhere")
            handler.send_header("content-length", "0")
            handler.end_headers()

        receiver.answer = redirect
        assert fails(receiver.url).reason == f"Answered with status {status}; redirects are not followed"
        assert [request.path for request in receiver.requests] == ["/hooks"]

    def test_none_is_cut_off(self, receiver: Receiver, hurried: None) -> None:
        is_over = Event()
        receiver.answer = lambda _: is_over.wait(60) and None
        assert fails(receiver.url).reason == "No answer within 0.6 seconds"
        is_over.set()

    def test_a_head_that_comes_byte_by_byte_is_cut_off(self, receiver: Receiver, hurried: None) -> None:
        """Each byte comes well within a time-out of the socket."""
        receiver.answer = lambda handler: drip(handler, b"HTTP/1.1 200 OK\r\n" + b"a: b\r\n" * 500)
        assert fails(receiver.url).reason == "No answer within 0.6 seconds"

    def test_a_body_that_never_ends_is_dropped_and_the_status_holds(self, receiver: Receiver, hurried: None) -> None:
        is_over = Event()

        def endless(handler: Handler) -> None:
            handler.wfile.write(b"HTTP/1.1 200 OK\r\n\r\n")
            drip(handler, b"a" * 3000)
            is_over.set()

        receiver.answer = endless
        assert post(target_of(receiver.url), b"{}", {}) == 200
        assert not is_over.is_set()

    @pytest.mark.parametrize(
        "head", [b"HTTP/1.1 200 OK\r\n\r\n", b"HTTP/1.1 200 OK\r\ncontent-length: 99999999\r\n\r\n"]
    )
    def test_a_huge_body_is_read_up_to_64_kib(
        self, receiver: Receiver, monkeypatch: pytest.MonkeyPatch, head: bytes
    ) -> None:
        read = counted(monkeypatch)

        def flood(handler: Handler) -> None:
            handler.wfile.write(head)
            write_until_closed(handler, b"a" * 65536)

        receiver.answer = flood
        assert post(target_of(receiver.url), b"{}", {}) == 200
        assert sum(read) == 64 * 1024

    @pytest.mark.parametrize("line", [b"x: " + b"a" * 1000 + b"\r\n", b"a" * 1024, b"HTTP/1.1 100 Continue\r\n\r\n"])
    def test_so_is_a_huge_head(self, receiver: Receiver, monkeypatch: pytest.MonkeyPatch, line: bytes) -> None:
        read = counted(monkeypatch)
        receiver.answer = lambda handler: write_until_closed(handler, b"HTTP/1.1 100 Continue\r\n" + line * 50)
        fails(receiver.url)
        assert sum(read) <= 64 * 1024

    @pytest.mark.parametrize(
        ("answer", "reason"),
        [
            (b"SSH-2.0-OpenSSH_9.2\r\n", "The answer was not HTTP"),
            (b"HTTP/1.1 abc\r\n\r\n", "The answer was not HTTP"),
            (b"", "The connection broke"),
        ],
    )
    def test_what_is_not_http_is_named_and_not_shown(self, receiver: Receiver, answer: bytes, reason: str) -> None:
        receiver.answer = lambda handler: handler.wfile.write(answer) and None
        assert fails(receiver.url).reason == reason

    def test_a_body_that_breaks_the_reader_is_dropped_too(self, receiver: Receiver) -> None:
        answer = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n-5\r\n"
        receiver.answer = lambda handler: handler.wfile.write(answer) and None
        assert post(target_of(receiver.url), b"{}", {}) == 200


def drip(handler: Handler, text: bytes) -> None:
    for byte in text:
        try:
            handler.wfile.write(bytes([byte]))
        except OSError:
            return
        time.sleep(0.02)


def write_until_closed(handler: Handler, text: bytes) -> None:
    try:
        for _ in range(1000):
            handler.wfile.write(text)
    except OSError:
        handler.close_connection = True


def counted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many bytes the sender takes from its connection at each read."""
    read: list[int] = []
    receive = BoundedSocket._receive_into

    def count(self: BoundedSocket, buffer: memoryview) -> int:
        read.append(receive(self, buffer))
        return read[-1]

    monkeypatch.setattr(BoundedSocket, "_receive_into", count)
    return read
