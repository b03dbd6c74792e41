"""While a payment provider does not answer, the shop does."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor, as_completed
from itertools import islice
from pathlib import Path

import pytest

from payments.models import Intent
from tests.concurrency.hanging_provider import GATE, HANGING, HangingProvider
from tests.concurrency.payment_requests import payable_cart, session_request
from tests.concurrency.running_server import PATIENCE, Sent, running_server
from tests.factories import payments as make
from tests.factories.apikeys import publishable_key

CROWD, LINES = 8, 2


@pytest.mark.once
@pytest.mark.django_db(transaction=True)
def test_shoppers_whose_provider_hangs_leave_threads_to_the_others(
    database_environment: dict[str, str], tmp_path: Path
) -> None:
    gate, name = tmp_path / "open", f"{HangingProvider.__module__}.{HangingProvider.__qualname__}"
    named = {"PAYMENT_PROVIDERS": f"{HANGING}={name}", "PAYMENT_LINES": str(LINES), GATE: str(gate)}
    key = {"x-publishable-api-key": publishable_key().token}
    collections = [make.collection(payable_cart(HANGING)) for _ in range(CROWD)]
    with running_server({**database_environment, **named}, log=tmp_path / "log", headers=key, workers=1) as server:
        requests = [session_request(collection, HANGING, {}) for collection in collections]
        with ThreadPoolExecutor(CROWD) as pool:
            sent = [pool.submit(server.send, request) for request in requests]
            try:
                refused = [one.result() for one in islice(as_completed(sent, PATIENCE / 2), CROWD - LINES)]
                served = server.send(Sent("/store/regions", method="GET"))
            finally:
                gate.touch()
    for answer in refused:
        assert (answer.status, answer.body["type"]) == (503, "unavailable")
        assert answer.headers["retry-after"] == "1"
        assert answer.headers["x-request-id"]
    assert served.status == 200
    assert Counter(one.result().status for one in sent) == {200: LINES, 503: CROWD - LINES}
    assert Intent.objects.filter(done_at=None).count() == 0  # what waited in vain has begun nothing
