from django.contrib.admin.apps import AdminConfig

from commerce.kit.admin.select2 import use_minified


class SiteConfig(AdminConfig):
    default_site = "commerce.kit.admin.site.Site"

    def ready(self) -> None:
        super().ready()
        use_minified()
