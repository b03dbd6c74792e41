"""GET /media/<name>: safe headers, and nothing but pictures."""

from pathlib import Path

import pytest
from django.test import Client

NAME = f"{'ab' * 32}.webp"


@pytest.fixture
def media(folders: Path) -> Path:
    directory = folders / "media"
    directory.mkdir()
    return directory


@pytest.mark.parametrize("name", [NAME, f"{'ab' * 32}-160.webp"])
def test_a_picture_is_immutable_and_can_run_nothing(media: Path, name: str) -> None:
    (media / name).write_bytes(b"picture")
    answer = Client().get(f"/media/{name}")
    assert (answer.status_code, b"".join(answer.streaming_content)) == (200, b"picture")
    assert {header: answer[header] for header in ("Cache-Control", "Content-Security-Policy", "Content-Type")} == {
        "Cache-Control": "public, max-age=31536000, immutable",
        "Content-Security-Policy": "sandbox; default-src 'none'",
        "Content-Type": "image/webp",
    }
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert "Set-Cookie" not in answer


@pytest.mark.parametrize("name", ["x.webp", NAME.upper(), f"{'ab' * 32}-161.webp", f"{NAME}.part", "..%2Fsecret"])
def test_no_other_file_is_served(media: Path, name: str) -> None:
    (media / name.replace("%2F", "_")).write_bytes(b"secret")
    (media.parent / "secret").write_bytes(b"secret")
    assert Client(raise_request_exception=False).get(f"/media/{name}").status_code == 404


def test_one_that_is_missing_is_404(media: Path) -> None:
    assert Client().get(f"/media/{NAME}").status_code == 404


def test_it_is_read_only(media: Path) -> None:
    assert Client().post(f"/media/{NAME}").status_code == 405
