"""Ctrl-C ends a command with a sentence and the exit code that shells expect; nothing is half done then."""

import signal
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import orjson
import pytest
from django.contrib.auth.models import Group
from django.core.management import call_command
from django.db import transaction
from pytest_django import Settings

from catalog.models import Product, ProductCount
from customers.models import Customer
from giftcards.cards.card_files import issue_to_file
from giftcards.cards.issuing import Terms
from giftcards.models import GiftCard
from kit.domain.actor import SYSTEM
from kit.messages.webhooks.endpoints.signing_secrets import is_readable
from kit.messages.webhooks.models import WebhookAddress
from orders.models import OrderCount
from shop.models import SalesChannel
from tests.factories import webhooks
from tests.factories.customers import CustomerFactory
from tests.factories.products import ProductFactory
from tests.factories.shop import RegionFactory
from tests.operations.interrupting import PATIENCE, interrupt, interrupted, start
from tests.orders.placed import placed

pytestmark = [pytest.mark.every(3), pytest.mark.django_db(transaction=True)]
MORE_THAN_A_PIPE_HOLDS = " " * 300_000
CUSTOMER = "cus_01JH3V9S5ZK8Q4W2N7R6T1YXAB"
AGAIN = "you can run the command again"


def test_while_it_reads(process_environment: dict[str, str]) -> None:
    """Once all of the file's beginning is written, the command reads it, and waits for the rest."""
    before = SalesChannel.objects.count()
    command = start("load_shop", "-", environment=process_environment)
    try:
        assert command.stdin is not None
        command.stdin.write('{"sales_channels": [{"name": "New"},' + MORE_THAN_A_PIPE_HOLDS)
        command.stdin.flush()
        sentence = f"\nInterrupted: the files are loaded completely or not at all; {AGAIN}.\n"
        assert interrupt(command) == (130, sentence)
    finally:
        command.kill()
    assert SalesChannel.objects.count() == before


def names(*models: Any) -> list[object]:
    return [sorted(model.objects.values_list("pk", flat=True)) for model in models]


@dataclass(frozen=True)
class Case:
    """table: at which the command waits. unchanged: what it leaves as it was, beside the folder of its files."""

    words: str
    table: str
    state: str
    unchanged: Callable[[], object] = lambda: None


CASES = [
    Case(
        "load_shop shop.json",
        "catalog_product",
        f"the files are loaded completely or not at all; {AGAIN}",
        lambda: names(SalesChannel, Product),
    ),
    Case("dump_shop dump.json.gz", "customers_customer", f"no incomplete file is left; {AGAIN}"),
    Case("export_orders --output orders.csv", "orders_order", f"no incomplete file is left; {AGAIN}"),
    Case("rebuild_search", "orders_order", "what was rebuilt is kept; run the command again to rebuild the rest"),
    Case("prune", "django_session", "what was deleted stays deleted; run the command again to delete the rest"),
    Case(
        "recount_products",
        "catalog_productcount",
        f"the counts are as they were; {AGAIN}",
        lambda: names(ProductCount),
    ),
    Case(
        "recompute_lowest",
        "catalog_stalestock",
        "what was recomputed is kept; run the command again to recompute the rest",
    ),
    Case(
        "recompute_statuses",
        "orders_orderlineitem",
        "what was corrected is kept; run the command again to correct the rest",
    ),
    Case("recount_orders", "orders_ordercount", f"the counts are as they were; {AGAIN}", lambda: names(OrderCount)),
    Case(
        "issue_gift_cards --count 3 --value 5 --currency usd --csv cards.csv",
        "giftcards_giftcard",
        f"no gift card was issued; {AGAIN}",
        lambda: names(GiftCard),
    ),
    Case(
        "verify_ledger",
        "giftcards_transaction",
        f"the check is incomplete and has changed nothing; {AGAIN}",
    ),
    Case(
        "setup_roles",
        "auth_group_permissions",
        f"uncommitted changes were rolled back; {AGAIN}",
        lambda: names(Group),
    ),
    Case(
        f"erase_customer {CUSTOMER} --yes",
        "carts_cart",
        f"a person is erased completely or not at all; {AGAIN}",
        lambda: Customer.objects.get(pk=CUSTOMER).email,
    ),
]


@pytest.mark.postgresql
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.words.partition(" ")[0])
def test_in_the_middle(
    case: Case, process_environment: Mapping[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Then the command is run again, and does everything."""
    monkeypatch.chdir(tmp_path)
    RegionFactory()
    ProductFactory()
    CustomerFactory(id=CUSTOMER)
    placed()
    (tmp_path / "shop.json").write_bytes(
        orjson.dumps({"sales_channels": [{"name": "New"}], "products": [{"title": "Oolong"}]})
    )
    before = (case.unchanged(), sorted(tmp_path.iterdir()))
    code, errors = interrupted(*case.words.split(), environment=process_environment, table=case.table)
    assert (code, errors) == (130, f"\nInterrupted: {case.state}.\n")
    assert (case.unchanged(), sorted(tmp_path.iterdir())) == before
    call_command(*case.words.split())


@pytest.mark.postgresql
def test_reseal_keeps_what_it_has_rewritten(process_environment: Mapping[str, str], settings: Settings) -> None:
    """The secrets of webhooks come before the sessions, at which it waits."""
    webhooks.address()
    secrets = {"SECRET_KEY": "3-vT5xqLmZ2cKb8yRdWg9sPfAe4nHuJt7", "SECRET_KEY_FALLBACKS": settings.SECRET_KEY}
    environment = {**process_environment, **secrets}
    code, errors = interrupted("reseal", environment=environment, table="django_session")
    state = "what was rewritten is kept; run the command again to rewrite the rest"
    assert (code, errors) == (130, f"\nInterrupted: {state}.\n")
    again = start("reseal", environment=environment)
    assert again.communicate(timeout=PATIENCE) == ("0 webhook secrets rewritten\n0 sessions rewritten\n", "")
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = secrets["SECRET_KEY"], []
    assert is_readable(WebhookAddress.objects.get().sealed_secret)


def test_during_the_commit_of_gift_cards(tmp_path: Path) -> None:
    """Too late: the cards are issued, and the file is the only place that has their codes."""
    RegionFactory()
    file = tmp_path / "cards.csv"

    def interrupt_the_commit(sizes: Iterable[int], count: int) -> Iterable[int]:
        transaction.on_commit(lambda: signal.raise_signal(signal.SIGINT))
        return sizes

    terms = Terms(value=Decimal(5), currency_code="usd")
    issue_to_file(actor=SYSTEM, terms=terms, count=3, name=str(file), progress=interrupt_the_commit)
    assert (GiftCard.objects.count(), len(file.read_text().splitlines())) == (3, 4)
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)
