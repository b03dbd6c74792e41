"""TypeScript types that openapi-typescript generates from the API document, as integrators do, hold in strict code.

`make test` installs the generator. Without it the test is skipped; with REQUIRE_SDK=1 it fails.
"""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from django.conf import settings

HERE = Path(__file__).parent
PROGRAMS = HERE / "node_modules/.bin"
DOCUMENT = Path(settings.BASE_DIR) / "commerce" / "openapi.yaml"
PATIENCE = 300
CALLER = """
import type { paths } from "./shop";

type Regions = paths["/store/regions"]["get"]["responses"][200]["content"]["application/json"];
export const names = (found: Regions) => found.regions.map((region) => region.name?.length);

type Query = NonNullable<paths["/store/products"]["get"]["parameters"]["query"]>;
export const query: Query = { order: "-created_at", limit: 2, created_at: { $gt: "2026-01-01" } };
// @ts-expect-error: no product is sorted by its color
export const wrong: Query = { order: "color" };

type Line = paths["/store/carts/{id}/line-items"]["post"]["requestBody"]["content"]["application/json"];
export const line: Line = { variant_id: "variant_1", quantity: 1 };
// @ts-expect-error: a line has a quantity
export const empty: Line = { variant_id: "variant_1" };
"""


def is_missing() -> bool:
    return not shutil.which("node") or not (PROGRAMS / "openapi-typescript").exists()


@pytest.mark.once
@pytest.mark.skipif(is_missing() and os.environ.get("REQUIRE_SDK") != "1", reason="needs Node 20: `make test` installs")
def test_a_storefronts_calls_have_types(tmp_path: Path) -> None:
    (tmp_path / "caller.ts").write_text(CALLER)
    for words in (
        ["openapi-typescript", str(DOCUMENT), "-o", "shop.d.ts"],
        ["tsc", "--noEmit", "--strict", "--skipLibCheck", "false", "caller.ts"],
    ):
        done = subprocess.run(
            [PROGRAMS / words[0], *words[1:]],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
