"""The system check of the shop's own templates of emails."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core import checks
from django.template import Context, Template
from django.template.loader_tags import IncludeNode

from kit.messages.mails.templates import engine


def check_mail_templates(app_configs: Sequence[AppConfig] | None, **options: object) -> list[checks.CheckMessage]:
    """Without it, a wrong folder silently brings back the program's own templates, and a wrong file stops emails."""
    if not settings.MAIL_TEMPLATES:
        return []
    folder = Path(settings.MAIL_TEMPLATES)
    if not folder.is_dir():
        return [checks.Error(f"MAIL_TEMPLATES names no folder: '{folder}'.", id="commerce.E001")]
    hint = "Correct the template, or remove the file: then the program's own is used."
    return [
        checks.Error(f"MAIL_TEMPLATES: {path.relative_to(folder)}: {fault}", hint=hint, id="commerce.E001")
        for path in sorted((*folder.rglob("*.txt"), *folder.rglob("*.html")))
        if (fault := _fault(str(path.relative_to(folder)), escapes=path.suffix == ".html"))
    ]


def _fault(name: str, *, escapes: bool) -> str:
    """What is wrong with the template, or with one that it includes; empty values stand for what emails have."""
    templates = engine(escapes=escapes)
    try:
        template: Template = templates.get_template(name)
        includes: list[Any] = template.nodelist.get_nodes_by_type(IncludeNode)
        for node in includes:
            included = node.template.resolve(Context())
            if included:  # else it is named by a value of the email
                templates.get_template(included)
        template.render(Context({"shop": ""}))
    except Exception as error:  # noqa: BLE001 - tags and filters may raise anything
        return f"{type(error).__name__}: {' '.join(str(error).split())}"
    return ""
