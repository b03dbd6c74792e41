"""Tests marked `browser` drive a Chromium. Without one they are skipped; with REQUIRE_BROWSER=1 the run is refused."""

import os
import shutil

import pytest

PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The first takes a quarter of the others' CPU time: it has no windows to draw."""


def pytest_configure() -> None:
    if os.environ.get("REQUIRE_BROWSER") == "1" and not find_chromium():
        raise pytest.UsageError(f"REQUIRE_BROWSER=1, and none of {', '.join(PROGRAMS)} is on the PATH.")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if find_chromium():
        return
    for item in items:
        if item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.skip(reason="needs Chromium"))


def find_chromium() -> str | None:
    return next(filter(None, map(shutil.which, PROGRAMS)), None)
