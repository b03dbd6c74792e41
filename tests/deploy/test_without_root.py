"""What docs/operators.md lets a user without root write: the command `shop`, units, and nginx's configuration."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.deploy.nginx import certify
from tests.docs.pages import OPERATORS, examples, section
from tests.plugins.servers import find

pytestmark = pytest.mark.once
ROOT = Path(__file__).parents[2]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """The home of a user who has followed the section, without starting anything."""
    for folder in ("bin", "shop/nginx", ".config/systemd/user", "commerce/.venv/bin"):
        (tmp_path / folder).mkdir(parents=True)
    for name in ("deploy", "manage.py"):
        (tmp_path / "commerce" / name).symlink_to(ROOT / name)
    for program in ("commerce/.venv/bin/python", "bin/postgres"):
        (tmp_path / program).symlink_to(sys.executable)
    for block in examples(OPERATORS, "bash"):
        if block in section(OPERATORS, "## Without root"):
            _run(block, tmp_path)
    return tmp_path


def _run(block: str, home: Path) -> None:
    """The lines that write files."""
    starts = ("git ", "make ", "systemctl ", "pg_ctl ", "initdb ", "createdb ", ".venv/", "cat >> ~/shop/postgresql")
    lines = [line for line in block.splitlines() if not line.startswith(starts)]
    if "cat >> ~/shop/postgresql" in block:
        lines = lines[: lines.index("port = 5433")]
    environment = {"HOME": str(home), "PATH": f"{home}/bin:{os.environ['PATH']}"}
    subprocess.run(["/bin/sh", "-e"], input="\n".join(lines), text=True, cwd=home, env=environment, check=True)


def test_the_command_runs_in_the_checkout_with_the_home_of_the_shop(home: Path) -> None:
    (home / "commerce" / "manage.py").unlink()
    (home / "commerce" / "manage.py").write_text(
        "import os, sys; print(os.environ['COMMERCE_HOME'], os.getcwd(), sys.argv)"
    )
    done = subprocess.run(
        [home / "bin" / "shop", "check"], env={"HOME": str(home)}, capture_output=True, text=True, check=True
    )
    assert done.stdout == f"{home}/shop {home}/commerce ['manage.py', 'check']\n"


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="needs systemd-analyze")
def test_systemd_accepts_the_units_of_the_user(home: Path) -> None:
    units = home / ".config" / "systemd" / "user"
    (units / "commerce@.service").rename(units / "commerce@8000.service")
    environment = {"HOME": str(home), "XDG_RUNTIME_DIR": str(home), "PATH": os.environ["PATH"]}
    words = ["systemd-analyze", "--user", "verify", "--man=no", *map(str, sorted(units.iterdir()))]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    text = "".join(unit.read_text() for unit in units.iterdir())
    assert not any(line in text for line in ("User=", "/srv/shop", "/var/lib", "/var/backups", "multi-user"))


@pytest.mark.servers("nginx")
def test_nginx_accepts_the_configuration_on_higher_ports(home: Path) -> None:
    folder = home / "shop" / "nginx"
    certify(folder)
    words = [str(find("nginx")), "-t", "-p", str(folder), "-c", "nginx.conf", "-e", "error.log"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    text = (folder / "shop.conf").read_text()
    assert [
        line
        for line in ("listen 8080;", "listen [::]:8080;", "listen 8443 ssl", "listen [::]:8443 ssl")
        if line not in text
    ] == []
    assert "/var/log" not in text
    assert "letsencrypt" not in text
