"""requirements*.txt lock what pyproject.toml asks for: an installation has nothing else."""

import tomllib

import pytest
from packaging.requirements import Requirement

from tests.packages import ROOT

pytestmark = pytest.mark.once

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
EXTRAS = PROJECT["project"]["optional-dependencies"]
ASKED = {
    "requirements.txt": PROJECT["project"]["dependencies"],
    "requirements-dev.txt": PROJECT["dependency-groups"]["dev"],
    **{f"requirements-{extra}.txt": [*PROJECT["project"]["dependencies"], *asked] for extra, asked in EXTRAS.items()},
}


@pytest.mark.parametrize("name", ASKED)
def test_each_requirement_is_locked(name: str) -> None:
    lines = [line.removesuffix(" \\") for line in (ROOT / name).read_text().splitlines() if line[:1].isalnum()]
    locked = {one.name: one.specifier for one in map(Requirement, lines)}
    for asked in map(Requirement, ASKED[name]):
        (version,) = locked[asked.name.lower()]
        assert asked.specifier.contains(version.version), asked
