"""The rows of lists are the theme's rows, which cost more: the theme's next version is compared here."""

import re

import pytest
from django.template import engines
from django.test import Client

from kit.admin.lists.result_rows import breakable
from tests.kit.admin import pages
from tests.kit.admin.shop import build_shop
from tests.kit.admin.visits import superuser

pytestmark = [pytest.mark.once, pytest.mark.django_db]

THEMES = engines["django"].from_string("{% load unfold_list %}{% unfold_result_list cl %}")
ROW = re.compile(r'<tr class="data-row.*?</tr>', re.DOTALL)


def rows(page: str) -> list[str]:
    """The markup of each row, without the spaces between and at the ends of tags, and without our breaks of words."""
    found = (re.sub(r"\s+", " ", row) for row in ROW.findall(page.replace("<wbr>", "")))
    return [re.sub(r" ?(<[^>]*?) ?(>) ?", r"\1\2", row) for row in found]


def lists(client: Client) -> list[str]:
    build_shop(client.user)
    return [address for address in pages.list_pages() if "_list" not in address]


def test_rows_are_those_of_the_theme() -> None:
    client = superuser()
    compared = 0
    for address in lists(client):
        answer = client.get(address, {"_popup": "1"} if "customer/" in address else {})
        if answer.status_code != 200 or "cl" not in (answer.context or {}):
            continue
        listed = answer.context["cl"]
        theirs = rows(THEMES.render({"cl": listed, "opts": listed.opts}, answer.wsgi_request))
        for ours, other in zip(rows(answer.content.decode()), theirs, strict=True):
            assert (address, ours) == (address, other)
        compared += bool(theirs)
    assert compared > 40


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        (
            "Short words of a long title, of which there are many",
            "Short words of a long title, of which there are many",
        ),
        (f"A {'b' * 45}", f"A {'b' * 16}<wbr>{'b' * 16}<wbr>{'b' * 13}"),
        (f'<a href="/{"c" * 40}">{"d" * 31}</a>', f'<a href="/{"c" * 40}">{"d" * 16}<wbr>{"d" * 15}</a>'),
        (f"{'e' * 29}&lt;{'e' * 29}", f"{'e' * 29}&lt;{'e' * 29}"),
    ],
)
def test_long_words_may_be_broken(shown: str, expected: str) -> None:
    assert breakable(shown) == expected
