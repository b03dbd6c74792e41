"""Links from one row's screen to another's."""

from django.contrib.admin.utils import quote
from django.urls import reverse
from django.utils.html import format_html


def row_link(screen: str, key: str, said: str) -> str:
    """A link with that text. screen: as `reverse` knows it on the admin site, such as `payments_payment_change`."""
    address = reverse(f"admin:{screen}", args=[quote(key)])
    return format_html('<a href="{}" class="font-medium text-primary-600 dark:text-primary-500">{}</a>', address, said)
