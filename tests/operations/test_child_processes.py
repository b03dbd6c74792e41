"""Commands that `serve` runs as forks of itself."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = """
import os, signal, subprocess, sys, threading
from pathlib import Path
import django
django.setup()
from commerce.operations.child_processes import command, prepare_forks
prepare_forks()

def title(process):
    return Path(f"/proc/{process.pid}/comm").read_text().strip()

said = command("help of migrate", "migrate", "--verbosity", "0", "nonsense")(Path.cwd())
print("refused", said.wait(60), said.poll(), said.returncode)

worker = command("background worker", "db_worker", "--queue-name", "nothing")(Path.cwd())
try:
    worker.wait(1)
except subprocess.TimeoutExpired:
    print("runs", worker.poll(), title(worker), os.getpgid(worker.pid) == worker.pid)
worker.terminate()
print("ended", worker.wait(60))

at_once = command("worker", "db_worker")(Path.cwd())
at_once.terminate()
print("ended", at_once.wait(60) in (0, -signal.SIGTERM))

threading.Thread(target=threading.Event().wait, daemon=True).start()
other = command("another process", "db_worker")(Path.cwd())
print("with threads", Path(f"/proc/{other.pid}/cmdline").read_bytes().split(b"\\0")[1:3])
other.terminate()
other.wait(60)
"""


@pytest.mark.once
@pytest.mark.skipif(sys.platform != "linux", reason="forks are for Linux")
def test_forks_run_commands_end_like_processes_and_are_avoided_beside_threads(
    process_environment: dict[str, str],
) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        cwd=ROOT,
        env={**process_environment, "DJANGO_SETTINGS_MODULE": "commerce.settings"},
        check=False,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert ran.stdout.splitlines() == [
        "refused 1 1 1",
        "runs None background work True",
        "ended 0",
        "ended True",
        "with threads [b'manage.py', b'db_worker']",
    ]
    assert "nonsense" in ran.stderr
