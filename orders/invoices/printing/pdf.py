"""HTML to PDF, in a process of its own."""

import subprocess
import sys
from pathlib import Path

from django.conf import settings

from kit.messages.mails.templates import FOLDER

SECONDS = 60
"""By the clock, on a busy machine; of CPU time the program has a third."""

_PROGRAM = Path(__file__).with_name("pdf_program.py")
"""Not imported: WeasyPrint would take 40 MB of each process."""
_PACKAGED = Path(__file__).parents[2] / FOLDER


class PdfFailed(Exception):
    """The PDF could not be made; the text says why."""


def pdf_of(html: str) -> bytes:
    """The PDF. Files that the HTML names as `package:NAME` are those beside its template. Raises PdfFailed."""
    own = [settings.MAIL_TEMPLATES] if settings.MAIL_TEMPLATES else []
    words = [sys.executable, "-I", str(_PROGRAM), *own, str(_PACKAGED)]
    try:
        child = subprocess.run(  # noqa: S603 - our own program; no shell
            words, env={}, input=html.encode(), capture_output=True, timeout=SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        raise PdfFailed(f"It takes longer than {SECONDS} s") from None
    if child.returncode < 0:
        raise PdfFailed(f"It takes too much CPU time or memory: signal {-child.returncode}")
    if child.returncode:
        raise PdfFailed(child.stderr.decode(errors="replace").strip().rpartition("\n")[2])
    return child.stdout


def fault() -> str:
    """Why no PDF can be made here, such as a missing library; empty if one can."""
    try:
        pdf_of("<p>Invoice")
    except PdfFailed as error:
        return str(error)
    return ""
