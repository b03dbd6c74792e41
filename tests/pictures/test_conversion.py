"""The background conversion, by the real program: what it writes, and what it refuses."""

import os
from collections.abc import Callable
from hashlib import sha256
from io import BytesIO
from pathlib import Path

import pytest
from django.test import Client
from django_tasks_db.models import DBTaskResult
from PIL import Image

from pictures import processing
from pictures.models import Picture
from tests.contract.callers import Caller, importer
from tests.factories.apikeys import secret_key
from tests.factories.staff import UserFactory
from tests.kit.jobs.bulk_worker import let_leases_end, run_bulk_worker, statuses
from tests.pictures.files import BLUE, GPS, ORIENTATION, RED, form, opened, picture, with_exif

pytestmark = [pytest.mark.once, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def editor() -> Caller:
    return importer(secret_key(UserFactory(permissions=["pictures.add_picture"])))


def converted(editor: Caller, file: bytes) -> Picture:
    """The picture after the worker has run."""
    (answer,) = editor.post("/admin/uploads", **form(file)).json()["files"]
    run_bulk_worker(turns=1)
    return Picture.objects.get(pk=answer["id"])


def served(picture: Picture, suffix: str = "") -> Image.Image:
    """The file as clients get it."""
    answer = Client().get(f"/media/{picture.digest}{suffix}.webp")
    assert answer.status_code == 200
    return opened(b"".join(answer.streaming_content))


def is_like(pixel: tuple[int, ...], colour: tuple[int, int, int]) -> bool:
    return all(abs(one - other) < 25 for one, other in zip(pixel, colour, strict=False))


@pytest.mark.parametrize("format", ["JPEG", "PNG", "WEBP", "AVIF", "GIF"])
def test_each_format_becomes_webp(editor: Caller, folders: Path, format: str) -> None:
    row = converted(editor, picture(format))
    assert (row.status, row.reason) == ("ready", "")
    whole = served(row)
    assert (whole.format, whole.size, whole.mode) == ("WEBP", (600, 300), "RGB")
    assert is_like(whole.getpixel((10, 150)), RED)
    assert is_like(whole.getpixel((590, 150)), BLUE)
    assert [served(row, suffix).size for suffix in ("-160", "-480", "-1200")] == [(160, 80), (480, 240), (600, 300)]
    assert list((folders / "uploads").iterdir()) == []


def test_the_widest_is_2400(editor: Caller) -> None:
    assert served(converted(editor, picture(size=(3000, 10)))).size == (2400, 8)


def test_it_is_turned_as_its_exif_says_and_loses_it(editor: Caller) -> None:
    file = with_exif(orientation=6)
    assert opened(file).getexif()[ORIENTATION] == 6
    whole = served(converted(editor, file))
    assert whole.size == (300, 600)
    assert is_like(whole.getpixel((150, 10)), RED)
    assert (dict(whole.getexif()), dict(whole.getexif().get_ifd(GPS))) == ({}, {})
    assert {"exif", "comment", "icc_profile", "xmp"}.isdisjoint(whole.info)


def test_transparency_stays(editor: Caller) -> None:
    image = Image.new("RGBA", (20, 20), (0, 0, 0, 0))
    image.paste((*RED, 255), (0, 0, 10, 20))
    written = BytesIO()
    image.save(written, "PNG")
    whole = served(converted(editor, written.getvalue()))
    assert whole.mode == "RGBA"
    assert [whole.getpixel((x, 10))[3] for x in (2, 18)] == [255, 0]


def animation(kind: str) -> bytes:
    frames = [Image.new("RGB", (20, 20), colour) for colour in (RED, BLUE)]
    written = BytesIO()
    frames[0].save(written, kind, save_all=True, append_images=frames[1:])
    return written.getvalue()


def blank(width: int, height: int) -> bytes:
    """A large picture, of one bit a pixel."""
    written = BytesIO()
    Image.new("1", (width, height)).save(written, "PNG", compress_level=1)
    return written.getvalue()


@pytest.mark.parametrize(
    ("file", "reason"),
    [
        (lambda: picture("JPEG")[:-200], "It cannot be decoded: "),
        (lambda: animation("GIF"), "It is animated: upload a picture that does not move"),
        (lambda: animation("PNG"), "It is animated: upload a picture that does not move"),
        (lambda: animation("WEBP"), "It is animated: upload a picture that does not move"),
        (lambda: picture("PNG")[:60], "It cannot be decoded: "),
        (lambda: b"\x89PNG\r\n\x1a\n" + b"<script>", "It is not a picture that can be decoded"),
        (lambda: b"\0\0\0\x20ftypavif" + b"\0" * 100, "It "),
        (lambda: blank(14_000, 14_000), "It has more than 50 megapixels"),
        (lambda: blank(10_000, 5_001), "It has 10000 by 5001 pixels; the most are 50 megapixels"),
    ],
    ids=["truncated jpeg", "gif", "apng", "animated webp", "truncated png", "script", "avif", "larger bomb", "bomb"],
)
def test_what_cannot_be_decoded_fails_with_its_reason(
    editor: Caller, folders: Path, file: Callable[[], bytes], reason: str
) -> None:
    row = converted(editor, file())
    assert (row.status, row.reason[: len(reason)]) == ("failed", reason)
    assert Client().get(f"/media/{row.digest}.webp").status_code == 404
    assert list((folders / "uploads").iterdir()) == []
    assert not (folders / "media").exists()


def test_fifty_megapixels_are_converted(editor: Caller) -> None:
    row = converted(editor, blank(10_000, 5_000))
    assert (row.status, served(row).size) == ("ready", (2400, 1200))


def test_the_program_knows_nothing_of_the_shop(editor: Caller, folders: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spy = folders / "spy.py"
    spy.write_text("import os, sys\nprint(sorted(os.environ), len(sys.path) > 0, sys.flags.isolated)\nsys.exit(1)")
    monkeypatch.setattr(processing, "_PROGRAM", spy)
    os.environ["SPY"] = "seen"
    try:
        row = converted(editor, picture())
    finally:
        del os.environ["SPY"]
    assert row.reason.endswith("True 1")
    assert "SPY" not in row.reason
    assert "DATABASE" not in row.reason


def test_one_that_hangs_fails(editor: Caller, folders: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hanging = folders / "hanging.py"
    hanging.write_text("import time\ntime.sleep(60)")
    monkeypatch.setattr(processing, "_PROGRAM", hanging)
    monkeypatch.setattr(processing, "SECONDS", 0.2)
    assert converted(editor, picture()).reason == "It takes too long to decode"


def test_one_whose_worker_was_killed_is_converted_by_the_second_task(editor: Caller) -> None:
    editor.post("/admin/uploads", **form(picture()))
    DBTaskResult.objects.filter(run_after=None).update(status="RUNNING")
    let_leases_end()
    run_bulk_worker()
    assert Picture.objects.get().status == "ready"


def test_the_second_task_leaves_a_converted_picture_alone(editor: Caller) -> None:
    converted(editor, picture())
    let_leases_end()
    run_bulk_worker()
    assert Picture.objects.get().status == "ready"
    assert statuses() == {"SUCCESSFUL"}


def test_one_whose_original_is_gone_fails(editor: Caller, folders: Path) -> None:
    editor.post("/admin/uploads", **form(picture()))
    (folders / "uploads" / f"{sha256(picture()).hexdigest()}.original").unlink()
    run_bulk_worker(turns=1)
    assert Picture.objects.get().reason == "The uploaded file is gone; upload it again"
