"""A short form of what `python -m tests.crash` does, and its own proof."""

import os
import subprocess
import sys

import orjson
import pytest

from customers.models import Customer
from giftcards.cards import redemption
from giftcards.models import GiftCard
from tests.factories.customers import CustomerFactory
from tests.factories.giftcards import gift_card, redeemer, store_credit
from tests.packages import ROOT
from tests.plugins.clusters import find_programs

pytestmark = pytest.mark.every(3)


@pytest.mark.postgresql
def test_while_web_processes_are_killed_and_postgresql_crashes_each_card_is_credited_once() -> None:
    """On a PostgreSQL of its own, since that of the tests may not crash."""
    if find_programs() is None:
        pytest.skip("needs PostgreSQL's own programs")
    command = [sys.executable, "-m", "tests.crash", "--cards", "150", "--kills", "3", "--seconds", "300"]
    reported = subprocess.run(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    assert reported.returncode == 0, reported.stdout
    assert "150 of 150 cards, 3 web processes killed, 1 crashes of PostgreSQL" in reported.stdout


@pytest.fixture
def ann(transactional_db: None) -> Customer:
    return CustomerFactory()


def audit(environment: dict[str, str], cards: dict[GiftCard, Customer]) -> list[str]:
    given = {"cards": [(card.pk, customer.pk) for card, customer in cards.items()], "keys": 0}
    command = [sys.executable, "-m", "tests.crash.audit"]
    settings = {**environment, "DJANGO_SETTINGS_MODULE": os.environ["DJANGO_SETTINGS_MODULE"]}
    reported = subprocess.run(
        command, input=orjson.dumps(given), cwd=ROOT, env=settings, stdout=subprocess.PIPE, check=True
    )
    found: list[str] = orjson.loads(reported.stdout)
    return found


@pytest.mark.django_db(transaction=True)
def test_the_audit_finds_nothing_where_each_card_is_credited_to_its_customer(
    process_environment: dict[str, str], ann: Customer
) -> None:
    card = gift_card(25)
    redemption.redeem(actor=redeemer(ann), id_or_code=card.pk)
    assert audit(process_environment, {card: ann}) == []


@pytest.mark.django_db(transaction=True)
def test_the_audit_names_a_card_that_nobody_or_somebody_else_has_got_and_credit_out_of_nothing(
    process_environment: dict[str, str], ann: Customer
) -> None:
    bob, lost, strayed = CustomerFactory(), gift_card(25), gift_card(25)
    redemption.redeem(actor=redeemer(bob), id_or_code=strayed.pk)
    store_credit(bob, 10)
    found = audit(process_environment, {lost: ann, strayed: ann})
    assert f"Card {lost.pk} of customer {ann.pk} is credited 0 times" in found
    assert f"Card {strayed.pk}, worth 25, is 25 of customer {bob.pk}" in found
    assert f"Customer {ann.pk} has no account for 50 usd" in found
