"""Tests of PDFs need libraries of the system. `.ci/run` installs them; without them the tests are skipped."""

import os

import pytest

from orders.invoices.printing.pdf import fault

INSTALL = "apt-get install libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0 fonts-dejavu-core"
_MISSING = fault()
if _MISSING and os.environ.get("REQUIRE_PANGO") == "1":
    raise pytest.UsageError(f"REQUIRE_PANGO=1, and no PDF can be made: {_MISSING}: {INSTALL}")
needs_pango = pytest.mark.skipif(bool(_MISSING), reason=f"no PDF can be made: {_MISSING}: {INSTALL}")
