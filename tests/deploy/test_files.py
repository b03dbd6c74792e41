"""The files that operators copy from deploy: systemd units, and what runs the shop in containers."""

import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.management import get_commands, load_command_class

from tests.architecture.test_settings import STRONG, reported
from tests.docs.pages import OPERATORS, examples
from tests.packages import ROOT

pytestmark = pytest.mark.once
UNITS = sorted((ROOT / "deploy" / "systemd").iterdir())
DOCKERFILE = (ROOT / "Dockerfile").read_text()
MOUNTED = ("./tls", "./acme", "./shop.conf", "/var/backups/shop")
"""What the guide creates."""
WRITTEN = ["shop:/var/lib/shop", "/var/backups/shop:/var/backups/shop"]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text())


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="needs systemd-analyze")
def test_systemd_accepts_the_units(tmp_path: Path) -> None:
    """With paths of this machine: it looks for the programs."""
    for unit in UNITS:
        text = unit.read_text().replace("/srv/shop/.venv/bin/python", sys.executable).replace("/srv/shop", str(ROOT))
        (tmp_path / unit.name.replace("@.", "@8000.")).write_text(text)
    words = ["systemd-analyze", "verify", "--man=no", *map(str, sorted(tmp_path.iterdir()))]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    ours = [line for line in done.stderr.splitlines() if "commerce" in line]
    assert (done.returncode, ours) == (0, []), done.stderr


def test_units_run_commands_of_the_shop() -> None:
    run = {command for unit in UNITS for command in re.findall(r"manage\.py (\w+)", unit.read_text())}
    assert run == {"serve", "backup", "verify_ledger"}


def test_nginx_repeats_no_request_that_it_has_sent() -> None:
    """It would place an order twice. And it closes idle connections before a stopping server does."""
    text = re.sub("#.*", "", (ROOT / "deploy" / "nginx.conf").read_text())
    assert re.findall(r"proxy_next_upstream\w* [^;]*", text) == ["proxy_next_upstream error timeout"]
    (seconds,) = re.findall(r" keepalive_timeout (\d+)s;", text)
    drained = reported("settings.DRAIN_SECONDS", **STRONG).stdout
    assert int(seconds) < int(drained)


def test_the_image_is_built_by_targets_of_make() -> None:
    targets = set(re.findall(r"RUN make (\w+)", DOCKERFILE))
    assert targets == {"install"}
    assert "\ninstall: " in (ROOT / "Makefile").read_text()
    (copied,) = re.findall(r"COPY Makefile (.*) \./", DOCKERFILE)
    assert all(list(ROOT.glob(name)) for name in copied.split())


def test_the_image_runs_as_a_user_without_rights_and_says_when_it_is_ready() -> None:
    last = DOCKERFILE.rpartition("\nFROM ")[2]
    assert "\nUSER shop\n" in last
    assert "/health/ready" in last
    assert last.index("USER shop") < last.index("ENTRYPOINT")


def test_secrets_do_not_get_into_the_image() -> None:
    left_out = (ROOT / ".dockerignore").read_text().splitlines()
    assert {".env", ".git", "/var", "/deploy/*.env", "/deploy/tls"} <= set(left_out)


def test_containers_of_the_shop_cannot_write_but_to_their_volume() -> None:
    ours = {name: each for name, each in COMPOSE["services"].items() if "build" in each}
    assert ours.keys() == {"migrate", "web"}
    for service in ours.values():
        assert service["build"] == {"context": "..", "args": {"EXTRAS": "${EXTRAS:-}"}}
        assert service["read_only"] is True
        assert (service["cap_drop"], service["volumes"]) == (["ALL"], WRITTEN)


def test_containers_run_the_commands_of_the_units_and_of_the_guide() -> None:
    """The commands accept their arguments, and the web container has those of the server's unit."""
    services = COMPOSE["services"]
    (served,) = re.findall(r"manage\.py (serve .*)", (ROOT / "deploy/systemd/commerce@.service").read_text())
    assert shlex.join(services["web"]["command"]) == served.replace("%i", "8000")
    (image,) = re.findall(r"\nCMD (\[.*\])\n", DOCKERFILE)
    assert services["web"]["command"][:5] == json.loads(image)
    code = "".join(examples(OPERATORS / "containers.md", "bash"))
    cron = (ROOT / "deploy" / "shop.cron").read_text()
    found = re.findall(r"(?m)^shop ([^#\n]*)|--no-deps web (.*)$| root shop (\w+ --verbosity 0)$", code + cron)
    run = ["".join(words) for words in found]
    assert [line.split()[0] for line in run] == [
        *("createsuperuser", "setup_roles", "create_api_key", "backup", "setup_roles", "restore", "verify_ledger")
    ]
    for name, *words in (services["migrate"]["command"], services["web"]["command"], *map(shlex.split, run)):
        load_command_class(get_commands()[name], name).create_parser("manage.py", name).parse_args(words)
    asked = re.findall(r"exec (?:-T )?(\w+)|compose stop (\w+) (\w+)|--no-deps (\w+)", code)
    assert {name for names in asked for name in names if name} == {"db", "web", "nginx"} <= services.keys()


def test_the_guide_writes_the_settings_of_the_containers(tmp_path: Path) -> None:
    """With the same variables as on a machine; nginx has the host's name, and keeps the path of its certificate."""
    written = examples(OPERATORS / "containers.md", "bash")[0].split("cd /srv/shop\n")[1]
    shutil.copytree(ROOT / "deploy", tmp_path / "deploy")
    subprocess.run(["/bin/sh", "-e"], input=written, text=True, cwd=tmp_path, check=True)
    settings = dict(line.split("=", 1) for line in (tmp_path / "deploy/shop.env").read_text().splitlines())
    password = (tmp_path / "deploy/postgres.env").read_text().strip().partition("=")[2]
    assert settings["DATABASE_URL"] == f"postgresql://shop:{password}@db/shop"
    (on_a_machine,) = examples(OPERATORS / "install.md", "sh")
    assert settings.keys() == set(re.findall(r"(?m)^([A-Z_]+)=", on_a_machine))
    assert reported("settings.ALLOWED_HOSTS", **settings).stdout.strip() == "['shop.example']"
    nginx = (tmp_path / "deploy/shop.conf").read_text()
    assert "server_name YOUR-HOST;" in nginx
    assert set(re.findall(r"/live/([\w.-]+)/", nginx)) == {"shop.example"}


def test_the_command_runs_in_the_container(tmp_path: Path) -> None:
    """Docker prints what it is asked for."""
    (tmp_path / "docker").write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
    (tmp_path / "docker").chmod(0o755)
    words = [ROOT / "deploy" / "shop-in-container", "create_api_key", "Web shop"]
    environment = {"PATH": f"{tmp_path}:/usr/bin:/bin"}
    done = subprocess.run(words, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True)
    asked = ["compose", "--file", "/srv/shop/deploy/compose.yaml", "exec", "-T", "web", ".venv/bin/python", "manage.py"]
    assert done.stdout.splitlines() == [*asked, "create_api_key", "Web shop"]


def test_no_container_can_fill_the_machine() -> None:
    for name, service in COMPOSE["services"].items():
        assert service["logging"] == {"driver": "json-file", "options": {"max-size": "10m", "max-file": "5"}}, name
        assert re.fullmatch(r"\d+[mg]|\$\{\w+:-\d+[mg]\}", service["mem_limit"]), name
        assert re.fullmatch(r"\d+|\$\{\w+:-\d+\}", str(service["cpus"])), name
        assert 100 <= service["pids_limit"] <= 500, name


def test_services_refer_to_what_there_is() -> None:
    services = COMPOSE["services"]
    assert COMPOSE.keys() == {"name", "x-logs", "x-shop", "services", "volumes"}
    for service in services.values():
        assert service.keys() & {"image", "build"}
        assert set(service.get("depends_on", {})) <= services.keys()
        for volume in service.get("volumes", ()):
            source = volume.partition(":")[0]
            assert source in COMPOSE["volumes"] or source in MOUNTED or (ROOT / "deploy" / source).exists()
    assert services["nginx"]["network_mode"] == "service:web"
    assert services["web"]["ports"] == ["80:80", "443:443"]
    assert {name for name, service in services.items() if "profiles" in service} == {"redis"}
    assert services["web"]["depends_on"]["migrate"] == {"condition": "service_completed_successfully"}
