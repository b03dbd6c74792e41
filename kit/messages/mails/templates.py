"""The templates of emails, Django templates each: `NAME_subject.txt`, `NAME.txt` and `NAME.html`.

They are in the folders `mail_templates` of the apps. A file of the same name in the folder settings.MAIL_TEMPLATES
takes precedence, without a restart. Values are escaped in HTML alone.
"""

from functools import cache
from pathlib import Path

from django.conf import settings
from django.template import Engine
from django.template.backends.django import get_installed_libraries
from django.template.loaders.filesystem import Loader as FilesystemLoader
from django.template.utils import get_app_template_dirs

FOLDER = "mail_templates"


class Loader(FilesystemLoader):
    """Finds files in the shop's own folder, then in those of the apps."""

    def get_dirs(self) -> list[str | Path]:
        own = [settings.MAIL_TEMPLATES] if settings.MAIL_TEMPLATES else []
        return [*own, *get_app_template_dirs(FOLDER)]


@cache
def engine(*, escapes: bool) -> Engine:
    """The engine of HTML templates, or of those of plain text."""
    return Engine(
        autoescape=escapes, libraries=get_installed_libraries(), loaders=[f"{Loader.__module__}.{Loader.__qualname__}"]
    )
