"""What docs/operators/without-root.md lets a user write: the command `shop`, units, and nginx's configuration."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.deploy.nginx import certify
from tests.docs.pages import OPERATORS, examples
from tests.packages import ROOT
from tests.plugins.servers import find

pytestmark = pytest.mark.once


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """The home of a user who has followed the section, without starting anything."""
    for folder in ("bin", "shop/nginx", ".config/systemd/user", "commerce/.venv/bin"):
        (tmp_path / folder).mkdir(parents=True)
    for name in ("deploy", "manage.py"):
        (tmp_path / "commerce" / name).symlink_to(ROOT / name)
    for program in ("commerce/.venv/bin/python", "bin/postgres"):
        (tmp_path / program).symlink_to(sys.executable)
    for block in examples(OPERATORS / "without-root.md", "bash"):
        _run(block, tmp_path)
    return tmp_path


def _run(block: str, home: Path) -> None:
    """The lines that write files."""
    starts = (
        *("git ", "make ", "systemctl ", "pg_ctl ", "initdb ", "createdb ", "certbot ", "openssl "),
        "cat >> ~/shop/postgresql",
    )
    lines = [line for line in block.replace("\\\n", "").splitlines() if not line.startswith(starts)]
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
    assert f"root {folder}/acme;" in text


def test_a_renewed_certificate_is_copied_and_read(home: Path) -> None:
    """As certbot calls a deploy hook: with the folder of the certificate in the environment."""
    lineage = home / "shop" / "certbot" / "live" / "shop.example"
    lineage.mkdir(parents=True)
    certify(lineage)
    (home / "bin" / "systemctl").write_text('#!/bin/sh\necho "$@"\n')
    (home / "bin" / "systemctl").chmod(0o755)
    environment = {"HOME": str(home), "PATH": f"{home}/bin:{os.environ['PATH']}", "RENEWED_LINEAGE": str(lineage)}
    done = subprocess.run(
        [home / "bin" / "shop-certificate"], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout == "--user reload nginx\n"
    for name in ("fullchain.pem", "privkey.pem"):
        copy = home / "shop" / "nginx" / name
        assert copy.read_bytes() == (lineage / name).read_bytes()
        assert copy.stat().st_mode & 0o777 == 0o600


@pytest.mark.servers("logrotate")
def test_logs_are_rotated(home: Path) -> None:
    log = home / "shop" / "nginx" / "shop.log"
    log.write_text("a line\n")
    configuration, state = home / "shop" / "logrotate.conf", home / "shop" / "logrotate.state"
    subprocess.run([str(find("logrotate")), "--force", "--state", state, configuration], check=True)
    assert (log.read_text(), (home / "shop" / "nginx" / "shop.log.1.gz").exists()) == ("", True)
