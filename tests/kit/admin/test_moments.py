"""Nobody reads microseconds: moments on lists and pages end with their minutes or seconds."""

import re

import pytest
from django.utils.html import strip_tags

from tests.kit.admin import pages
from tests.kit.admin.shop import build_shop
from tests.kit.admin.visits import superuser

pytestmark = [pytest.mark.every(3), pytest.mark.once, pytest.mark.django_db]

FRACTION = re.compile(r"\d:\d\d:\d\d[.,]\d+")


def test_no_list_and_no_page_of_a_row_shows_fractions_of_seconds() -> None:
    client = superuser()
    build_shop(client.user)
    seen = 0
    for address in (*pages.list_pages(), *pages.row_pages("change")):
        answer = client.get(address)
        if answer.status_code == 200 and answer["Content-Type"].startswith("text/html"):
            shown = strip_tags(re.sub(r"<(script|textarea)\b.*?</\1>", "", answer.content.decode(), flags=re.DOTALL))
            assert (address, FRACTION.findall(shown)) == (address, [])
            seen += 1
    assert seen > 90
