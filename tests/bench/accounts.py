"""Accounts whose passwords are right, for attacks that sign in: hashed as the measured checkout does, or as before."""

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

PASSWORD = "lapsang, no sugar, 1912"
KINDS = ("new", "old")
EACH = 200
_SCRIPT = f"""
from argon2 import PasswordHasher
from django.contrib.auth.hashers import make_password
from auth.models import AuthIdentity
old = "argon2" + PasswordHasher(time_cost=2, memory_cost=102400, parallelism=8).hash({PASSWORD!r})
for kind, hashed in (("new", make_password({PASSWORD!r})), ("old", old)):
    AuthIdentity.objects.bulk_create(
        AuthIdentity(email=f"{{kind}}{{turn}}@example.com", password=hashed) for turn in range({EACH})
    )
"""


def fill(checkout: Path, environment: Mapping[str, str]) -> None:
    """Make EACH accounts of each kind, `new0@example.com` and so on."""
    command = [sys.executable, "manage.py", "shell", "--verbosity", "0", "--command", _SCRIPT]
    subprocess.run(command, cwd=checkout, env=environment, check=True)


def emails(kind: str) -> list[str]:
    """Of the accounts of that kind."""
    return [f"{kind}{turn}@example.com" for turn in range(EACH)]
