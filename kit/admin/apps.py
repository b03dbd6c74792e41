from collections.abc import Sequence
from typing import Any

from django.contrib.admin.apps import SimpleAdminConfig
from django.contrib.admin.checks import check_admin_app, check_dependencies
from django.core.checks import CheckMessage, Tags, register
from django.urls import get_resolver


class SiteConfig(SimpleAdminConfig):
    """Start-up loads no screens: `commerce/urls.py` does, for commands and the background process need none."""

    default_site = "kit.admin.pages.site.Site"

    def ready(self) -> None:
        """Registers Django's checks of the admin site. Those of screens load them first."""
        register(check_dependencies, Tags.admin)
        register(check_screens, Tags.admin)


def check_screens(app_configs: Sequence[Any] | None, **options: Any) -> list[CheckMessage]:
    """Django's checks of all screens."""
    get_resolver().url_patterns  # noqa: B018 - loads the routes, and screens with them
    found: list[CheckMessage] = check_admin_app(app_configs, **options)
    return found
