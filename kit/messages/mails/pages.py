"""Links in emails, to pages of the storefront."""

from urllib.parse import quote

from django.conf import settings


def link(page: str, **values: str) -> str:
    """The page's URL with the values in place of their names in braces; empty without a page.

    page: a URL such as `https://shop.example/password?token={token}`, or a path below settings.STOREFRONT_URL, which
    gives an empty text if that is not set.
    """
    if page.startswith("/"):
        page = settings.STOREFRONT_URL and settings.STOREFRONT_URL + page
    for name, value in values.items():
        page = page.replace(f"{{{name}}}", quote(value, safe=""))
    return page
