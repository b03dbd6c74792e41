"""System checks of the folders that the shop writes to. Each names the variable to change."""

import os
from collections.abc import Sequence
from pathlib import Path

from django.apps import AppConfig
from django.conf import settings
from django.core import checks


def check_folders(app_configs: Sequence[AppConfig] | None, **options: object) -> list[checks.CheckMessage]:
    """Without it, the first picture, export or email would fail."""
    used = [
        ("UPLOAD_DIR", settings.UPLOAD_DIR),
        ("EXPORT_DIR", settings.EXPORT_DIR),
        ("INVOICE_DIR", settings.INVOICE_DIR if settings.INVOICE_PDF else ""),
        ("MEDIA_ROOT", "" if settings.S3_BUCKET else settings.MEDIA_ROOT),
        ("EMAIL_URL", settings.EMAIL_FILE_PATH if settings.EMAIL_BACKEND.endswith("file_backend.EmailBackend") else ""),
        ("COMMERCE_HOME", settings.STATIC_ROOT),
        ("COMMERCE_HOME", settings.METRICS_DIR if settings.METRICS_PORT else ""),
    ]
    hint = "Let the variable name a folder that the user of this process can write to."
    return [
        checks.Error(f"{variable}: the folder '{folder}' {fault}.", hint=hint, id="commerce.E008")
        for variable, folder in used
        if folder and (fault := _fault(Path(folder)))
    ]


def _fault(folder: Path) -> str:
    """What is wrong with the folder, which may still have to be created."""
    present = next(path for path in (folder, *folder.parents) if path.exists())
    if not present.is_dir():
        return f"cannot be created: '{present}' is a file" if present != folder else "is a file"
    if os.access(present, os.W_OK | os.X_OK):
        return ""
    return "cannot be written to" if present == folder else f"cannot be created: '{present}' cannot be written to"
