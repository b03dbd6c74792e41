import pytest

from apikeys.revocation import revoke
from kit.domain.actor import SYSTEM
from kit.errors import NotAllowed
from tests.concurrency.crowd import at_once
from tests.factories.apikeys import publishable_key

THREADS = 8


@pytest.mark.django_db(transaction=True)
def test_of_many_revocations_at_once_one_is_the_first():
    key = publishable_key().key

    def refused(_: int) -> bool:
        try:
            revoke(actor=SYSTEM, key_id=key.pk)
        except NotAllowed:
            return True
        return False

    assert sum(at_once(refused, threads=THREADS)) == THREADS - 1
