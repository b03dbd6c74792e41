"""What is not fetched from other hosts, and why. Real sockets."""

import time
from pathlib import Path

import pytest

from kit.domain.actor import SYSTEM
from kit.errors import Forbidden
from pictures import fetching
from pictures.fetching import Fetching, copies_of
from pictures.models import Picture, PictureSource
from tests.factories.actors import staff_actor
from tests.kit.messages.webhooks.test_posting import counted, drip, write_until_closed
from tests.pictures.files import kept, picture
from tests.pictures.host import NAME, PUBLIC, Handler, Host, redirect

pytestmark = pytest.mark.django_db
NO_PUBLIC_HOST = "Its address must begin with http or https, be on a public host and contain no password"


def refusal(address: str) -> str:
    """Why the address has no picture, after which nothing is left of it."""
    (reason,) = Fetching(SYSTEM).fetch([address], lambda: None).values()
    assert (Picture.objects.count(), PictureSource.objects.count(), copies_of([address])) == (0, 0, {})
    beginning = "The picture could not be fetched. "
    assert (reason[: len(beginning)], reason[-1]) == (beginning, ".")
    return reason[len(beginning) : -1]


def test_more_than_three_redirects(host: Host) -> None:
    host.answers = {f"/{number}": redirect(f"/{number + 1}") for number in range(9)}
    assert refusal(host.address("/0")) == "Its address redirects more than 3 times"
    assert host.asked == ["/0", "/1", "/2", "/3"]


@pytest.mark.parametrize(
    "addresses",
    [
        ["127.0.0.1"],
        ["10.0.0.7"],
        ["169.254.169.254"],
        ["100.64.0.1"],
        [PUBLIC, "192.168.0.1"],
        ["::1"],
        ["::ffff:10.0.0.7"],
    ],
)
def test_a_name_with_any_address_that_is_not_public(host: Host, addresses: list[str]) -> None:
    host.names[NAME] = addresses
    assert refusal(host.address()) == "The host has an address that is not public"
    assert host.connected == []


@pytest.mark.parametrize(
    "address",
    [
        "http://127.0.0.1/a.png",
        "https://[::1]/a.png",
        "http://169.254.169.254/latest/meta-data/",
        f"http://user:secret@{NAME}/a.png",
        f"http://{NAME}:0/a.png",
        "http://[::1/a.png",
    ],
)
def test_addresses_of_no_public_host(host: Host, address: str) -> None:
    host.has("/a.png")
    assert refusal(address) == NO_PUBLIC_HOST
    assert host.connected == []


@pytest.mark.parametrize(
    ("place", "reason"),
    [
        ("http://internal.example/a.png", "The host has an address that is not public"),
        ("http://127.0.0.1:8000/a.png", NO_PUBLIC_HOST),
        ("file:///etc/passwd", NO_PUBLIC_HOST),
        ("ftp://pictures.example/a", NO_PUBLIC_HOST),
    ],
)
def test_redirects_to_places_that_are_not_public(host: Host, place: str, reason: str) -> None:
    host.names["internal.example"] = ["10.0.0.7"]
    host.has("/a.png")
    host.answers["/mug.png"] = redirect(place)
    assert refusal(host.address()) == reason
    assert host.asked == ["/mug.png"]


def test_the_connection_goes_to_the_address_that_was_checked(host: Host) -> None:
    """A name that leads elsewhere at a second look-up is looked up once for each request."""
    host.later_names = {NAME: ["127.0.0.1"]}
    (address,) = host.has("/a.png")
    assert Fetching(SYSTEM).fetch([address], lambda: None) == {}
    assert (host.looked_up[NAME], host.connected) == (1, [(PUBLIC, 80)])


def test_a_redirect_to_the_same_name_is_checked_again(host: Host) -> None:
    host.later_names = {NAME: ["127.0.0.1"]}
    host.answers = {"/mug.png": redirect("/a.png"), "/a.png": picture()}
    assert refusal(host.address()) == "The host has an address that is not public"
    assert host.asked == ["/mug.png"]


def test_errors(host: Host) -> None:
    host.answers = {"/gone": 410, "/broken": 500, "/moved": 302}
    for path, status in (("/none", 404), ("/gone", 410), ("/broken", 500), ("/moved", 302)):
        assert refusal(host.address(path)) == f"Its host answered with status {status}"


@pytest.mark.parametrize("content", [b"", b"<html>Not here</html>", b"<svg onload='alert(1)'/>", b"GIF8"])
def test_what_is_no_picture(host: Host, folders: Path, content: bytes) -> None:
    host.answers = {"/mug.png": content}
    assert refusal(host.address()) == "The file is not a picture: JPEG, PNG, WebP, AVIF or GIF is expected"
    assert kept(folders) == []


@pytest.mark.parametrize(
    "head",
    [
        b"HTTP/1.1 200 OK\r\n\r\n",
        b"HTTP/1.1 200 OK\r\ncontent-length: 99999999\r\n\r\n",
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n",
    ],
    ids=["endless", "announced", "chunked"],
)
def test_what_is_too_large_is_not_read_to_its_end(
    host: Host, folders: Path, head: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetching, "LARGEST_FILE", 500_000)
    monkeypatch.setattr("pictures.receiving.LARGEST_FILE", 500_000)
    read = counted(monkeypatch)

    def flood(handler: Handler) -> None:
        handler.wfile.write(head)
        part = picture() + b"\0" * 65536
        write_until_closed(handler, b"%x\r\n%s\r\n" % (len(part), part) if b"chunked" in head else part)

    host.answers = {"/mug.png": flood}
    assert refusal(host.address()) == "The file is larger than 0 MiB"
    assert (kept(folders), sum(read) < 600_000) == ([], True)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (b"SSH-2.0-OpenSSH_9.2\r\n", "The answer was not HTTP"),
        (b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n-5\r\n", "The answer was not HTTP"),
        (b"HTTP/1.1 302 Found\r\nlocation: http://[/\r\n\r\n", "The answer was not HTTP"),
        (b"HTTP/1.1 200 OK\r\ncontent-length: -5\r\n\r\n", "The file is not a picture: "),
        (b"", "The connection broke"),
    ],
)
def test_what_is_not_http(host: Host, answer: bytes, reason: str) -> None:
    host.answers = {"/mug.png": lambda handler: handler.wfile.write(answer) and None}
    assert refusal(host.address()).startswith(reason)


def test_a_file_that_ends_early(host: Host, folders: Path) -> None:
    def cut(handler: Handler) -> None:
        handler.wfile.write(b"HTTP/1.1 200 OK\r\ncontent-length: 99999\r\n\r\n" + picture())

    host.answers = {"/mug.png": cut}
    assert (refusal(host.address()), kept(folders)) == ("The connection broke", [])


@pytest.mark.parametrize("slow", ["head", "body"])
def test_slow_hosts(host: Host, monkeypatch: pytest.MonkeyPatch, slow: str) -> None:
    """Each byte comes well within a time-out of the socket."""
    monkeypatch.setattr(fetching, "SECONDS", 0.6)

    def answer(handler: Handler) -> None:
        handler.wfile.write(b"HTTP/1.1 200 OK\r\n" + (b"\r\n" if slow == "body" else b""))
        drip(handler, picture() if slow == "body" else b"a: b\r\n" * 500)

    host.answers = {"/mug.png": answer}
    begun = time.monotonic()
    assert refusal(host.address()) == "No answer within 0.6 seconds"
    assert time.monotonic() - begun < 3


def test_slow_redirects_have_one_time_together(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetching, "SECONDS", 0.6)

    def slow(handler: Handler) -> None:
        time.sleep(0.25)
        redirect("/mug.png")(handler)

    host.answers = {"/mug.png": slow}
    begun = time.monotonic()
    assert "within" in refusal(host.address())
    assert time.monotonic() - begun < 0.9


def test_who_may_not_upload(host: Host) -> None:
    (address,) = host.has("/a.png")
    with pytest.raises(Forbidden, match="add_picture"):
        Fetching(staff_actor("catalog.change_product")).fetch([address], lambda: None)
    assert host.asked == []
