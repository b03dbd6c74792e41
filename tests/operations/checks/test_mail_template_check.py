"""Checks try the shop's own templates of emails."""

from pathlib import Path

import pytest
from pytest_django import Settings

from commerce.operations.checks.mail_template_check import check_mail_templates
from kit.messages.mails.templates import FOLDER
from tests.packages import ROOT

pytestmark = pytest.mark.once
FAULTS = {
    "order_placed.txt": ("{% if link %}", "TemplateSyntaxError: Unclosed tag on line 1: 'if'."),
    "order_placed.html": ("{{ order.total|dollars }}", "TemplateSyntaxError: Invalid filter: 'dollars'"),
    "gift_card.txt": ("{% for line in lines %}{% include 'gone.txt' %}{% endfor %}", "TemplateDoesNotExist: gone.txt"),
    "gift_card.html": ("{% extends 'frame.html' %}", "TemplateDoesNotExist: frame.html"),
    "password_reset.txt": ("{% load gone %}", "TemplateSyntaxError: 'gone' is not a registered tag library"),
}


@pytest.fixture(autouse=True)
def folder(settings: Settings, tmp_path: Path) -> Path:
    settings.MAIL_TEMPLATES = str(tmp_path)
    return tmp_path


def found() -> list[str]:
    reports = check_mail_templates(None)
    assert {report.id for report in reports} <= {"commerce.E001"}
    return [report.msg for report in reports]


def test_copies_of_ours_are_fine(folder: Path) -> None:
    ours = [path for path in ROOT.glob(f"**/{FOLDER}/*") if path.relative_to(ROOT).parts[0] != ".venv"]
    assert len(ours) > 30
    for path in ours:
        (folder / path.name).write_bytes(path.read_bytes())
    (folder / "own").mkdir()
    (folder / "own" / "line.txt").write_text("{{ line.title|upper }}")
    (folder / "order_placed.txt").write_text("{% for line in order.lines %}{% include 'own/line.txt' %}{% endfor %}")
    assert found() == []


@pytest.mark.parametrize(("name", "fault"), FAULTS.items())
def test_a_template_that_cannot_be_rendered_is_named(folder: Path, name: str, fault: tuple[str, str]) -> None:
    text, message = fault
    (folder / name).write_text(text)
    (found_fault,) = found()
    assert found_fault.startswith(f"MAIL_TEMPLATES: {name}: {message}")
    assert "\n" not in found_fault


def test_a_template_that_is_not_utf8_is_named(folder: Path) -> None:
    (folder / "gift_card.txt").write_bytes("Grüße".encode("latin-1"))
    (fault,) = found()
    assert fault.startswith("MAIL_TEMPLATES: gift_card.txt: UnicodeDecodeError: ")
