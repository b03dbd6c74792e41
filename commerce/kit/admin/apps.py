from importlib import import_module
from typing import Any

from django.contrib.admin.apps import AdminConfig


class SiteConfig(AdminConfig):
    default_site = "commerce.kit.admin.site.Site"

    def ready(self) -> None:
        """Replace the theme's class of read-only fields, once the models are there that it imports."""
        super().ready()
        theme: Any = import_module("unfold.forms")
        theme.UnfoldAdminReadonlyField = import_module("commerce.kit.admin.readonly_links").ReadonlyField
