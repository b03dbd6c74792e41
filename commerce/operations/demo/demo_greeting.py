"""What the demo prints: its URLs, logins, and the variables that commands of the guides use."""

import os
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings


@dataclass(frozen=True, slots=True)
class Demo:
    """url, key: of the storefront. password: None if the staff user already existed."""

    url: str
    key: str
    staff_email: str
    password: str | None
    customer_email: str
    customer_password: str
    gift_card: str
    promotion: str


_TEXT = """
The demo shop is ready. Ctrl-C stops it, and `make demo` opens it again.

  Admin site       {demo.url}/admin/
  Staff login      {demo.staff_email}
  Password         {password}
  API reference    {demo.url}/docs
  GraphQL          {demo.url}/graphiql
  Storefront key   {demo.key}
  Customer login   {demo.customer_email}, {demo.customer_password}
  Gift card        {demo.gift_card}
  Promotion        {demo.promotion}
  Emails           {mails}

Paste this into another terminal, in this directory. The commands of all guides use it:

  export {reader}
  export {server}

Then `sh docs/first-order.sh` places an order. README.md says where to read on.
"""


def greeting(demo: Demo) -> str:
    """The whole text, which fits on a screen. Its lines with `export` can be pasted into a shell."""
    command = shlex.join([_program(), "manage.py", "changepassword", demo.staff_email])
    change = f"{_assignments(**_environment())} {command}"
    password = demo.password or f"unchanged; set another with\n                   {change}"
    reader = _assignments(SHOP=demo.url, KEY=demo.key)
    staff = {"STAFF_PASSWORD": demo.password} if demo.password else {}
    server = _assignments(**_environment(), STAFF_EMAIL=demo.staff_email, **staff)
    return _TEXT.format(demo=demo, password=password, mails=_mails(), reader=reader, server=server)


def _mails() -> str:
    """Where the emails of the shop can be read."""
    if not settings.EMAIL_FILE_PATH:
        return "sent as EMAIL_URL says"
    folder = Path(settings.EMAIL_FILE_PATH)
    named = folder.relative_to(settings.BASE_DIR) if folder.is_relative_to(settings.BASE_DIR) else folder
    return f"files in {named}/, which a mail program opens"


def _program() -> str:
    python = Path(sys.executable)
    return str(python.relative_to(settings.BASE_DIR) if python.is_relative_to(settings.BASE_DIR) else python)


def _environment() -> dict[str, str]:
    """What commands of manage.py need to find this database."""
    is_in_file = (settings.HOME / ".env").exists()
    names = ("COMMERCE_HOME",) if is_in_file else ("COMMERCE_HOME", "DATABASE_URL")
    return {"COMMERCE_ENV": "development"} | {name: os.environ[name] for name in names if name in os.environ}


def _assignments(**values: str) -> str:
    return " ".join(f"{name}={shlex.quote(value)}" for name, value in values.items())
