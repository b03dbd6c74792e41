from django.contrib.admin.apps import AdminConfig


class SiteConfig(AdminConfig):
    default_site = "commerce.kit.admin.site.Site"
