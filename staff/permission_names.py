"""Permissions as people read them: `Catalogue: Add product`."""

from django.contrib.auth.models import Permission
from django.utils.text import capfirst


def app_and_words(permission: Permission) -> tuple[str, str]:
    """The name of the app, and what the permission allows. Reads the content type, and no table's rows."""
    model = permission.content_type.model_class()
    app = model._meta.app_config.verbose_name if model else permission.content_type.app_label
    return str(capfirst(app)), str(capfirst(permission.name.removeprefix("Can ")))


def name_of(permission: Permission) -> str:
    """One line, for lists and pickers."""
    return ": ".join(app_and_words(permission))
