"""The official dashboard of Medusa, unmodified, in Chromium: `make test-dashboard` builds it and runs these tests."""

import os

import pytest

needs_dashboard = pytest.mark.skipif(
    os.environ.get("REQUIRE_DASHBOARD") != "1", reason="needs the dashboard: `make test-dashboard` builds it"
)
