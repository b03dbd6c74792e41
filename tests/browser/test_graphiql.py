"""The page for trying GraphQL, in a real browser."""

from pathlib import Path

import pytest
from pytest_django.live_server_helper import LiveServer

from tests.browser.chromium import Chromium, Page
from tests.factories.apikeys import publishable_key
from tests.factories.catalog import CategoryFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def write(page: Page, name: str, value: str) -> None:
    page.fill(**{name: value})
    for kind in ("input", "change"):
        page.run(f"document.querySelector('[name={name}]').dispatchEvent(new Event('{kind}', {{bubbles: true}}))")


def test_a_document_is_answered_and_the_schema_shown(
    chromium: Chromium, live_server: LiveServer, tmp_path: Path
) -> None:
    CategoryFactory(name="Tea")
    with chromium.page() as page:
        page.open(f"{live_server.url}/graphiql")
        write(page, "key", publishable_key().token)
        page.until("document.getElementById('type-ProductCategory') !== null")
        page.run("document.getElementById('request').requestSubmit()")
        page.until("document.getElementById('status').innerText.startsWith('200')")
        assert '"name": "Tea"' in page.text
        page.shoot(tmp_path / "graphiql.png")
        write(page, "query", "{ nope }")
        page.run("document.getElementById('request').requestSubmit()")
        page.until("document.getElementById('status').innerText.startsWith('400')")
        assert "Cannot query field 'nope' on type 'Query'." in page.text
        write(page, "query", "query First { a: __typename }\nquery Second { b: __typename }")
        for caret, shown in ((0, '"a": "Query"'), (40, '"b": "Query"')):
            page.run(f"document.querySelector('[name=query]').setSelectionRange({caret}, {caret})")
            page.run("document.getElementById('request').requestSubmit()")
            page.until(f"document.getElementById('answer').innerText.includes({shown!r})")
        write(page, "query", "{ nope }")
        write(page, "variables", "{")
        page.run("document.getElementById('request').requestSubmit()")
        page.until("document.getElementById('status').innerText.startsWith('The variables are no JSON')")
        page.run("document.querySelector('#type-Query a').click()")
        page.open(f"{live_server.url}/graphiql")
        assert page.run("document.querySelector('[name=query]').value") == "{ nope }"
        assert page.origins == {live_server.url}
        assert [text for text in page.complaints if "400" not in text] == []
