"""Requests made up from the OpenAPI document, fitting and unfitting: none fails, and the answers fit the document."""

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from hypothesis import HealthCheck, Phase, given
from hypothesis import settings as hypothesis_settings
from hypothesis.errors import Unsatisfiable
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from commerce.wsgi import application
from tests.conftest import MakeOnce
from tests.contract.routes import EXAMPLES, ROUTES
from tests.contract.shelves import stock
from tests.factories.apikeys import publishable_key, secret_key
from tests.factories.staff import UserFactory
from tests.walks import LONG

pytestmark = [pytest.mark.every(4), pytest.mark.once, pytest.mark.django_db]

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
OPERATIONS = [
    (re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", route.path), method, route.path)
    for route in ROUTES
    for method in route.methods
    if method != "HEAD"
]
bounded = hypothesis_settings(
    max_examples=100 if LONG else 2,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture(scope="module")
def loaded(make_once: MakeOnce) -> Iterator[Any]:
    """The document as the server of a shop with a few rows sends it.

    It is one for all tests, since schemathesis reads the application's source for each that it loads.
    """
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)  # the tests' transaction is on the connection
    make_once(stock)
    yield make_once(lambda: schemathesis.openapi.from_wsgi("/openapi.json", application))
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture
def document(loaded: Any, settings: Any) -> Any:
    settings.THROTTLES = dict.fromkeys(settings.THROTTLES, (10**6, 60))
    return loaded


def test_the_document_names_every_operation(document: Any) -> None:
    named = {(result.ok().path, result.ok().method.upper()) for result in document.get_all_operations()}
    assert named == {(path, method) for path, method, _ in OPERATIONS}


@pytest.mark.parametrize(("path", "method", "route"), OPERATIONS)
@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
def test_no_request_is_a_failure_of_ours(
    path: str, method: str, route: str, mode: GenerationMode, document: Any
) -> None:
    headers = {
        "x-publishable-api-key": publishable_key().token,
        "Authorization": f"Bearer {secret_key(UserFactory(is_superuser=True)).token}",
    }
    segments = zip(path.split("/"), EXAMPLES[route].path().split("/"), strict=True)
    examples = {name.strip("{}"): segment for name, segment in segments if name.startswith("{")}

    @bounded
    @given(case=document[path][method].as_strategy(generation_mode=mode), known=...)
    def send(case: Case, known: bool) -> None:
        if known:
            case.path_parameters |= examples
        case.call_and_validate(checks=CHECKS, headers=headers)

    with suppress(Unsatisfiable):  # a route without parameters and body leaves nothing to get wrong
        send()
