"""Programs of this folder, which call a server through the official SDK, in Node. `make test` installs the SDK.

Without it their tests are skipped; with REQUIRE_SDK=1 they fail.
"""

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import orjson
import pytest

from tests.concurrency.running_server import HOST, RunningServer
from tests.factories.apikeys import publishable_key, secret_key
from tests.factories.staff import UserFactory

HERE = Path(__file__).parent
NODE = shutil.which("node") or ""
PATIENCE = 120


def missing() -> str | None:
    """What such a test lacks."""
    if not NODE:
        return "needs Node 20 or later"
    installed = all((HERE / "node_modules/@medusajs" / name).is_dir() for name in ("js-sdk", "types"))
    return None if installed else "needs the SDK: `make test` installs it"


needs_sdk = pytest.mark.skipif(missing() is not None and os.environ.get("REQUIRE_SDK") != "1", reason=str(missing()))


def run(program: str, server: RunningServer, **environment: str) -> dict[str, Any]:
    """What it prints. It has a storefront's key, and the key of someone who may do everything."""
    assert missing() is None, missing()
    given = {
        **os.environ,
        "SHOP": f"http://{HOST}:{server.port}",
        "PUBLISHABLE_KEY": publishable_key().token,
        "SECRET_KEY": secret_key(UserFactory(is_superuser=True)).token,
        **environment,
    }
    done = subprocess.run([NODE, program], cwd=HERE, env=given, capture_output=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0, done.stderr.decode()
    found: dict[str, Any] = orjson.loads(done.stdout)
    return found
