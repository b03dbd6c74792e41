"""Kept answers, as somebody sees them who holds the table and one of the two secrets."""

import pytest
from pytest_django import Settings

from kit.errors import Conflict
from kit.safety.idempotency.sealing import seal, unseal


def test_an_answer_opens_with_the_callers_key_and_the_servers_secret() -> None:
    assert unseal(seal(b'{"cart":{}}', key="a"), key="a") == b'{"cart":{}}'


def test_the_servers_secret_alone_opens_nothing() -> None:
    with pytest.raises(Conflict):
        unseal(seal(b'{"cart":{}}', key="a"), key="b")


def test_the_callers_key_alone_opens_nothing(settings: Settings) -> None:
    sealed = seal(b'{"cart":{}}', key="a")
    settings.SECRET_KEY = "another secret"
    with pytest.raises(Conflict):
        unseal(sealed, key="a")


def test_a_large_answer_is_kept_in_a_fifth_of_its_size() -> None:
    lines = ",".join(f'{{"id":"cali_{number}","title":"Assam","quantity":1,"total":12.5}}' for number in range(10_000))
    body = f'{{"cart":{{"items":[{lines}]}}}}'.encode()
    sealed = seal(body, key="a")
    assert len(sealed) < len(body) / 5
    assert unseal(sealed, key="a") == body
