"""Pictures that are fetched from other hosts: what is taken, and what is refused. Real sockets."""

import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from commerce.picture_columns import COLUMNS
from kit.domain.actor import SYSTEM
from kit.errors import Forbidden
from kit.jobs.work import TurnLost
from kit.values.timestamps import now
from pictures import fetching
from pictures.expiry import discard_unnamed
from pictures.fetching import Fetching, copies_of, is_elsewhere
from pictures.models import Picture, PictureSource
from pictures.states import PictureStatus
from tests.factories.actors import staff_actor
from tests.pictures.files import picture
from tests.pictures.host import NAME, PUBLIC, Handler, Host, redirect

pytestmark = pytest.mark.django_db


def fetch(*addresses: str, **given: Any) -> dict[str, str]:
    return Fetching(given.get("actor", SYSTEM)).fetch(addresses, given.get("go_on", lambda: None))


def refusal(address: str) -> str:
    """Why the address has no picture, after which nothing is left of it."""
    (reason,) = fetch(address).values()
    assert (Picture.objects.count(), PictureSource.objects.count(), copies_of([address])) == (0, 0, {})
    beginning = "The picture could not be fetched. "
    assert (reason[: len(beginning)], reason[-1]) == (beginning, ".")
    return reason[len(beginning) : -1]


def kept(folders: Path) -> list[str]:
    return sorted(path.name for path in (folders / "uploads").glob("*"))


class TestWhatIsTaken:
    def test_it_is_an_upload_like_any_other(self, host: Host, folders: Path) -> None:
        host.answers = {"/a%20b.png?size=2": picture(), "/b": picture("JPEG")}
        addresses = [host.address("/a b.png?size=2#top"), host.address("/b")]

        assert fetch(*addresses) == {}

        copies = copies_of(addresses)
        assert {row.path for row in Picture.objects.all()} == {*copies.values()}
        assert {row.status for row in Picture.objects.all()} == {PictureStatus.PROCESSING}
        assert kept(folders) == sorted(f"{row.digest}.original" for row in Picture.objects.all())
        assert {request.headers["host"] for request in host.requests} == {NAME}
        assert {request.headers["accept-encoding"] for request in host.requests} == {"identity"}

    def test_one_file_at_several_addresses_is_one_picture(self, host: Host, folders: Path) -> None:
        host.answers = {f"/{number}": picture() for number in range(6)}
        addresses = [host.address(path) for path in host.answers]
        assert fetch(*addresses, *addresses) == {}
        assert (Picture.objects.count(), len(host.asked), len({*copies_of(addresses).values()})) == (1, 6, 1)

    def test_redirects_are_followed_thrice_each_host_checked(self, host: Host) -> None:
        host.names["cdn.example"] = ["93.184.216.35"]
        host.answers = {
            "/mug.png": redirect("/1"),
            "/1": redirect("//cdn.example/2"),
            "/2": redirect("http://cdn.example/3"),
            "/3": picture(),
        }
        assert fetch(host.address()) == {}
        assert host.connected == [(PUBLIC, 80), (PUBLIC, 80), ("93.184.216.35", 80), ("93.184.216.35", 80)]
        host.answers |= {"/0": redirect("/mug.png")}
        Picture.objects.all().delete()
        assert refusal(host.address("/0")) == "It was redirected more than 3 times"

    def test_one_that_could_not_be_converted_is_fetched_anew(self, host: Host) -> None:
        (address,) = host.has("/a.png")
        fetch(address)
        Picture.objects.update(status=PictureStatus.FAILED, reason="It cannot be decoded")
        assert copies_of([address]) == {}
        fetch(address)
        assert (Picture.objects.get().status, len(copies_of([address]))) == (PictureStatus.PROCESSING, 1)

    def test_what_nothing_uses_is_pruned_as_uploads_are(
        self, host: Host, folders: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        fetch(*host.has("/a.png"))
        assert discard_unnamed(COLUMNS) == 0
        monkeypatch.setattr("pictures.expiry.now", lambda: now() + timedelta(hours=25))
        assert discard_unnamed(COLUMNS) == 1
        assert (Picture.objects.count(), PictureSource.objects.count(), kept(folders)) == (0, 0, [])


class TestWhatIsRefused:
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
    def test_a_name_with_any_address_that_is_not_public(self, host: Host, addresses: list[str]) -> None:
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
    def test_addresses_of_no_public_host(self, host: Host, address: str) -> None:
        host.has("/a.png")
        expected = "Its address is not one of http or https on a public host, without a password"
        assert refusal(address) == expected
        assert host.connected == []

    @pytest.mark.parametrize(
        ("place", "reason"),
        [
            ("http://internal.example/a.png", "The host has an address that is not public"),
            ("http://127.0.0.1:8000/a.png", "Its address is not one of http or https on a public host, without a password"),
            ("file:///etc/passwd", "Its address is not one of http or https on a public host, without a password"),
            ("ftp://pictures.example/a", "Its address is not one of http or https on a public host, without a password"),
        ],
    )  # fmt: skip
    def test_redirects_to_places_that_are_not_public(self, host: Host, place: str, reason: str) -> None:
        host.names["internal.example"] = ["10.0.0.7"]
        host.has("/a.png")
        host.answers["/mug.png"] = redirect(place)
        assert refusal(host.address()) == reason
        assert host.asked == ["/mug.png"]

    def test_the_connection_goes_to_the_address_that_was_checked(self, host: Host) -> None:
        """A name that leads elsewhere at a second look-up is looked up once for each request."""
        host.later_names = {NAME: ["127.0.0.1"]}
        (address,) = host.has("/a.png")
        assert fetch(address) == {}
        assert (host.looked_up[NAME], host.connected) == (1, [(PUBLIC, 80)])

    def test_a_redirect_to_the_same_name_is_checked_again(self, host: Host) -> None:
        host.later_names = {NAME: ["127.0.0.1"]}
        host.answers = {"/mug.png": redirect("/a.png"), "/a.png": picture()}
        assert refusal(host.address()) == "The host has an address that is not public"
        assert host.asked == ["/mug.png"]

    def test_errors(self, host: Host) -> None:
        host.answers = {"/gone": 410, "/broken": 500, "/moved": 302}
        for path, status in (("/none", 404), ("/gone", 410), ("/broken", 500), ("/moved", 302)):
            assert refusal(host.address(path)) == f"Its host answered with status {status}"

    @pytest.mark.parametrize("content", [b"", b"<html>Not here</html>", b"<svg onload='alert(1)'/>", b"GIF8"])
    def test_what_is_no_picture(self, host: Host, folders: Path, content: bytes) -> None:
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
        self, host: Host, folders: Path, head: bytes, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(fetching, "LARGEST_FILE", 500_000)
        monkeypatch.setattr("pictures.receiving.LARGEST_FILE", 500_000)
        written: list[int] = []

        def flood(handler: Handler) -> None:
            handler.wfile.write(head)
            part = picture() + b"\0" * 65536
            framed = b"%x\r\n%s\r\n" % (len(part), part) if b"chunked" in head else part
            try:
                for _ in range(1000):
                    written.append(handler.wfile.write(framed))
            except OSError:
                handler.close_connection = True

        host.answers = {"/mug.png": flood}
        assert refusal(host.address()) == "The file is larger than 0 MiB"
        assert (kept(folders), sum(written) < 10_000_000) == ([], True)

    def test_a_file_that_ends_early(self, host: Host, folders: Path) -> None:
        def cut(handler: Handler) -> None:
            handler.wfile.write(b"HTTP/1.1 200 OK\r\ncontent-length: 99999\r\n\r\n" + picture())

        host.answers = {"/mug.png": cut}
        assert (refusal(host.address()), kept(folders)) == ("The connection broke", [])

    @pytest.mark.parametrize("head", [b"", b"HTTP/1.1 200 OK\r\n\r\n"], ids=["of the head", "of the body"])
    def test_slow_hosts(self, host: Host, monkeypatch: pytest.MonkeyPatch, head: bytes) -> None:
        """Each byte comes well within a time-out of the socket."""
        monkeypatch.setattr(fetching, "SECONDS", 0.6)
        host.answers = {"/mug.png": dripping(head)}
        begun = time.monotonic()
        assert refusal(host.address()) == "No answer within 0.6 seconds"
        assert time.monotonic() - begun < 3

    def test_slow_redirects_have_one_time_together(self, host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(fetching, "SECONDS", 0.6)

        def slow(handler: Handler) -> None:
            time.sleep(0.25)
            redirect("/mug.png")(handler)

        host.answers = {"/mug.png": slow}
        begun = time.monotonic()
        assert "within" in refusal(host.address())
        assert time.monotonic() - begun < 0.9

    def test_who_may_not_upload(self, host: Host) -> None:
        (address,) = host.has("/a.png")
        with pytest.raises(Forbidden, match="pictures.add_picture"):
            fetch(address, actor=staff_actor("catalog.change_product"))
        assert host.asked == []


class TestMany:
    def test_one_that_fails_leaves_the_others(self, host: Host) -> None:
        addresses = [*host.has("/a.png", "/b.png", "/c.png"), host.address("/none"), *host.has("/d.png", "/e.png")]
        assert [*fetch(*addresses)] == [host.address("/none")]
        assert {*copies_of(addresses)} == {*addresses} - {host.address("/none")}

    def test_a_host_that_fails_again_and_again_is_not_asked_any_more(self, host: Host) -> None:
        host.names["dead.example"] = ["93.184.216.35", "10.0.0.1"]
        addresses = [f"http://dead.example/{number}" for number in range(9)]
        reasons = [*fetch(*addresses, *host.has("/a.png")).values()]
        assert (len(reasons), host.looked_up["dead.example"]) == (9, 4)
        assert reasons[3] == "The picture could not be fetched. The host has an address that is not public."
        assert {*reasons[4:]} == {
            "The picture could not be fetched. Its host failed several times in a row, so it was not asked again."
        }

    def test_the_disk_is_not_filled(self, host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(fetching, "MOST_WAITING", 300)
        addresses = host.has(*(f"/{number}" for number in range(6)))
        reason = "Too many pictures wait for their conversion: import the file again later"
        assert fetch(*addresses) == {address: f"The picture could not be fetched. {reason}." for address in addresses[4:]}
        assert fetch(addresses[5]) != {}
        Picture.objects.update(status=PictureStatus.READY)
        assert fetch(addresses[5]) == {}

    def test_it_stops_where_the_job_does(self, host: Host) -> None:
        calls: list[None] = []

        def go_on() -> None:
            calls.append(None)
            if len(calls) == 2:
                raise TurnLost

        addresses = host.has(*(f"/{number}" for number in range(9)))
        with pytest.raises(TurnLost):
            fetch(*addresses, go_on=go_on)
        assert (sorted(host.asked), len(copies_of(addresses))) == (["/0", "/1", "/2", "/3"], 4)


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("http://pictures.example/a.png", True),
        ("HTTPS://pictures.example/a.png", True),
        (f"https://pictures.example/media/{'a' * 64}.webp", True),
        (f"/media/{'a' * 64}.webp", False),
        (f"https://api.shop.example/media/{'a' * 64}-480.webp", False),
        ("https://api.shop.example/static/a.png", False),
        (f"https://cdn.shop.example/{'a' * 64}.webp", False),
        ("/static/a.png", False),
    ],
)
def test_addresses_of_this_shop_stay(settings: Any, address: str, expected: bool) -> None:
    settings.PUBLIC_URL, settings.MEDIA_URL = "https://api.shop.example", "https://cdn.shop.example/"
    assert is_elsewhere(address) is expected


def dripping(head: bytes) -> Callable[[Handler], None]:
    is_over = Event()

    def drip(handler: Handler) -> None:
        handler.wfile.write(head)
        for byte in picture() if head else b"HTTP/1.1 200 OK\r\n" + b"a: b\r\n" * 500:
            try:
                handler.wfile.write(bytes([byte]))
            except OSError:
                return
            is_over.wait(0.02)

    return drip
