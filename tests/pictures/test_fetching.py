"""Pictures that are fetched from other hosts are uploads as any other. Real sockets."""

import os
from datetime import timedelta
from io import FileIO
from pathlib import Path
from typing import Any

import pytest

from commerce.picture_columns import COLUMNS
from kit.domain.actor import SYSTEM
from kit.jobs.work import TurnLost
from kit.values.timestamps import now
from pictures import fetching, originals
from pictures.expiry import discard_unnamed
from pictures.fetching import Fetching, copies_of, is_elsewhere
from pictures.models import Picture, PictureSource
from pictures.states import PictureStatus
from tests.pictures.files import kept, picture
from tests.pictures.host import NAME, PUBLIC, Host, redirect

pytestmark = pytest.mark.django_db


def fetch(*addresses: str, **given: Any) -> dict[str, str]:
    return Fetching(given.get("actor", SYSTEM)).fetch(addresses, given.get("go_on", lambda: None))


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

    def test_redirects_are_followed_each_host_checked(self, host: Host) -> None:
        host.names["cdn.example"] = ["93.184.216.35"]
        host.answers = {
            "/mug.png": redirect("/1"),
            "/1": redirect("//cdn.example/2"),
            "/2": redirect("http://cdn.example/3"),
            "/3": picture(),
        }
        assert fetch(host.address()) == {}
        assert host.connected == [(PUBLIC, 80), (PUBLIC, 80), ("93.184.216.35", 80), ("93.184.216.35", 80)]

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


def test_what_a_killed_process_was_fetching_goes_after_a_day(folders: Path) -> None:
    for name, hours in (("old.upload", 25), ("new.upload", 23), (f"{'a' * 64}.original", 99)):
        path = originals.directory() / name
        path.write_bytes(b"x")
        moment = (now() - timedelta(hours=hours)).timestamp()
        os.utime(path, (moment, moment))
    assert originals.discard_partial() == 1
    assert kept(folders) == [f"{'a' * 64}.original", "new.upload"]


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
        reason = "Too many pictures are waiting to be converted. Import the file again later"
        assert fetch(*addresses) == dict.fromkeys(addresses[4:], f"The picture could not be fetched. {reason}.")
        assert fetch(addresses[5]) != {}
        Picture.objects.update(status=PictureStatus.READY)
        assert fetch(addresses[5]) == {}

    def test_a_full_disk_is_not_the_fault_of_the_host(self, host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(fetching, "NamedTemporaryFile", lambda **given: FileIO("/dev/full", "w"))
        addresses = host.has(*(f"/{number}" for number in range(9)))
        reason = "The picture could not be fetched. It could not be stored: No space left on device."
        assert fetch(*addresses) == dict.fromkeys(addresses, reason)

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
